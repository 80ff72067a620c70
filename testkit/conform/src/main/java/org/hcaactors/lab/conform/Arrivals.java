// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.hcaactors.fabric.packet.Operation.Family;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;

/**
 * The requests that were captured and that our responder was not given yet. When they arrived at the real one, and whether,
 * only its answers tell: a wire may have lost, held back or doubled each of them, and what a requester sends again after a
 * NAK says nothing about the packets behind the one that the NAK names.
 */
final class Arrivals {
    private static final int REMEMBERED = 1 << 12;
    private static final int MOST_TRIED = 16;

    private final int mtuBytes;
    private final Map<Integer, Heard> waiting = new LinkedHashMap<>();
    private final Map<Integer, Deque<Heard>> waitingByPsn = new LinkedHashMap<>();
    private final Deque<Heard> delivered = new ArrayDeque<>();

    /** What the responder acknowledges a SEND or WRITE with that comes once more. */
    private int acknowledgedPsn;

    private final Effort effort;

    Arrivals(int mtuBytes, Effort effort) {
        this.mtuBytes = mtuBytes;
        this.effort = effort;
    }

    // rule rc-duplicate
    /** The responder has executed a SEND, a WRITE or an atomic up to that PSN, or begins behind it. */
    void acknowledged(int psn) {
        acknowledgedPsn = psn;
    }

    void captured(Heard request) {
        waiting.put(request.frame(), request);
        waitingByPsn.computeIfAbsent(request.psn(), any -> new ArrayDeque<>()).addLast(request);
    }

    boolean holds(int psn) {
        return !waitingByPsn.getOrDefault(psn, new ArrayDeque<>()).isEmpty();
    }

    /**
     * That which must have arrived next if the responder, which expects that PSN, is to give the answer. Which of several
     * packets has shown it a gap nobody knows: none of them is taken away for it.
     */
    Optional<Heard> next(Heard answer, int expectedPsn) {
        effort.takes(isInOrder(answer, expectedPsn) ? 1 : waiting.size());
        Optional<Heard> next = isInOrder(answer, expectedPsn)
                ? inOrder(expectedPsn)
                : waiting.values().stream()
                        .filter(causes(answer, expectedPsn))
                        .min((one, other) -> order(one, other, answer));
        next.filter(request -> Psn.compare(request.psn(), expectedPsn) <= 0).ifPresent(this::deliver);
        return next;
    }

    /** Next in order, whatever is answered; none if it was not captured yet. */
    Optional<Heard> nextInOrder(int expectedPsn) {
        Optional<Heard> next = inOrder(expectedPsn);
        next.ifPresent(this::deliver);
        return next;
    }

    /** Those of which one must have arrived once more, if nothing else explains the answer; each PSN once. */
    List<Heard> again(Heard answer, int expectedPsn) {
        Predicate<Heard> causes =
                isInOrder(answer, expectedPsn) ? request -> request.psn() == expectedPsn : causes(answer, expectedPsn);
        effort.takes(delivered.size());
        Map<Integer, Heard> byPsn = new LinkedHashMap<>();
        delivered.stream()
                .filter(causes)
                .sorted((one, other) -> order(one, other, answer))
                .forEach(request -> byPsn.putIfAbsent(request.psn(), request));
        return byPsn.values().stream().limit(MOST_TRIED).toList();
    }

    private Optional<Heard> inOrder(int psn) {
        Deque<Heard> there = waitingByPsn.get(psn);
        return there == null ? Optional.empty() : Optional.ofNullable(there.peekFirst());
    }

    private void deliver(Heard request) {
        waiting.remove(request.frame());
        Deque<Heard> there = waitingByPsn.get(request.psn());
        if (there != null) {
            there.remove(request);
        }
        delivered.addLast(request);
        if (delivered.size() > REMEMBERED) {
            delivered.removeFirst();
        }
    }

    /** The answer is about something that has not arrived: all up to there has. */
    private static boolean isInOrder(Heard answer, int expectedPsn) {
        int ahead = Psn.compare(answer.psn(), expectedPsn);
        return answer.isSequenceNak() ? ahead > 0 : ahead >= 0;
    }

    /** What makes a responder that is as far as that give the answer. */
    private Predicate<Heard> causes(Heard answer, int expectedPsn) {
        if (answer.isSequenceNak()) {
            return request -> answer.psn() == expectedPsn && Psn.compare(request.psn(), expectedPsn) > 0;
        }
        return request -> Psn.compare(request.psn(), expectedPsn) < 0
                && switch (answer.operation().family()) {
                    case ACKNOWLEDGE ->
                        Syndrome.isAck(answer.packet().aeth().syndrome())
                                ? answer.psn() == acknowledgedPsn && isAcknowledged(request)
                                : isReadOf(request, answer.psn());
                    case READ_RESPONSE -> isReadOf(request, answer.psn());
                    case ATOMIC_ACKNOWLEDGE ->
                        request.operation().family() == Family.ATOMIC && request.psn() == answer.psn();
                    case SEND, SEND_WITH_INVALIDATE, WRITE, READ, ATOMIC, NOTIFY, SESSION -> false;
                };
    }

    private static boolean isAcknowledged(Heard request) {
        return request.operation().isSend() || request.operation().isWrite();
    }

    private boolean isReadOf(Heard request, int psn) {
        if (request.operation().family() != Family.READ) {
            return false;
        }
        int offset = Psn.compare(psn, request.psn());
        return offset >= 0 && offset < Psn.packets(request.packet().reth().lengthUnsigned(), mtuBytes);
    }

    /** A READ that asks for just that PSN comes first, then what was captured first. */
    private static int order(Heard one, Heard other, Heard answer) {
        boolean exact = one.psn() == answer.psn();
        boolean otherExact = other.psn() == answer.psn();
        return exact == otherExact ? Integer.compare(one.frame(), other.frame()) : exact ? -1 : 1;
    }
}
