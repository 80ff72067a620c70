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
final class PendingRequests {
    private static final int REMEMBERED = 1 << 12;
    private static final int MAX_TRIED = 16;

    private final int mtuBytes;
    private final Map<Integer, CapturedPacket> waiting = new LinkedHashMap<>();
    private final Map<Integer, Deque<CapturedPacket>> waitingByPsn = new LinkedHashMap<>();
    private final Deque<CapturedPacket> delivered = new ArrayDeque<>();

    /** What the responder acknowledges a SEND or WRITE with that comes once more. */
    private int acknowledgedPsn;

    private final ComparisonLimits effort;

    PendingRequests(int mtuBytes, ComparisonLimits effort) {
        this.mtuBytes = mtuBytes;
        this.effort = effort;
    }

    // rule rc-duplicate
    /** The responder has executed a SEND, a WRITE or an atomic up to that PSN, or begins behind it. */
    void acknowledged(int psn) {
        acknowledgedPsn = psn;
    }

    void captured(CapturedPacket request) {
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
    Optional<CapturedPacket> next(CapturedPacket answer, int expectedPsn) {
        effort.takes(isInOrder(answer, expectedPsn) ? 1 : waiting.size());
        Optional<CapturedPacket> next = isInOrder(answer, expectedPsn)
                ? inOrder(expectedPsn)
                : waiting.values().stream()
                        .filter(causes(answer, expectedPsn))
                        .min((one, other) -> order(one, other, answer));
        next.filter(request -> Psn.compare(request.psn(), expectedPsn) <= 0).ifPresent(this::deliver);
        return next;
    }

    /** Next in order, whatever is answered; none if it was not captured yet. */
    Optional<CapturedPacket> nextInOrder(int expectedPsn) {
        Optional<CapturedPacket> next = inOrder(expectedPsn);
        next.ifPresent(this::deliver);
        return next;
    }

    /** Those of which one must have arrived once more, if nothing else explains the answer; each PSN once. */
    List<CapturedPacket> again(CapturedPacket answer, int expectedPsn) {
        Predicate<CapturedPacket> causes =
                isInOrder(answer, expectedPsn) ? request -> request.psn() == expectedPsn : causes(answer, expectedPsn);
        effort.takes(delivered.size());
        Map<Integer, CapturedPacket> byPsn = new LinkedHashMap<>();
        delivered.stream()
                .filter(causes)
                .sorted((one, other) -> order(one, other, answer))
                .forEach(request -> byPsn.putIfAbsent(request.psn(), request));
        return byPsn.values().stream().limit(MAX_TRIED).toList();
    }

    private Optional<CapturedPacket> inOrder(int psn) {
        Deque<CapturedPacket> there = waitingByPsn.get(psn);
        return there == null ? Optional.empty() : Optional.ofNullable(there.peekFirst());
    }

    private void deliver(CapturedPacket request) {
        waiting.remove(request.frame());
        Deque<CapturedPacket> there = waitingByPsn.get(request.psn());
        if (there != null) {
            there.remove(request);
        }
        delivered.addLast(request);
        if (delivered.size() > REMEMBERED) {
            delivered.removeFirst();
        }
    }

    /** The answer is about something that has not arrived: all up to there has. */
    private static boolean isInOrder(CapturedPacket answer, int expectedPsn) {
        int ahead = Psn.compare(answer.psn(), expectedPsn);
        return answer.isSequenceNak() ? ahead > 0 : ahead >= 0;
    }

    /** What makes a responder that is as far as that give the answer. */
    private Predicate<CapturedPacket> causes(CapturedPacket answer, int expectedPsn) {
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

    private static boolean isAcknowledged(CapturedPacket request) {
        return request.operation().isSend() || request.operation().isWrite();
    }

    private boolean isReadOf(CapturedPacket request, int psn) {
        if (request.operation().family() != Family.READ) {
            return false;
        }
        int offset = Psn.compare(psn, request.psn());
        return offset >= 0 && offset < Psn.packets(request.packet().reth().lengthUnsigned(), mtuBytes);
    }

    /** A READ that asks for just that PSN comes first, then what was captured first. */
    private static int order(CapturedPacket one, CapturedPacket other, CapturedPacket answer) {
        boolean exact = one.psn() == answer.psn();
        boolean otherExact = other.psn() == answer.psn();
        return exact == otherExact ? Integer.compare(one.frame(), other.frame()) : exact ? -1 : 1;
    }
}
