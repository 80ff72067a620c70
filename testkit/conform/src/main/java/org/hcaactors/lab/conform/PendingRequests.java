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
 * Captured requests that the machine has not received yet. Only the responses show whether and when they arrived at the real
 * responder: the network may have lost, delayed or duplicated each of them, and a retransmission after a NAK says nothing about
 * the packets after the one that the NAK names.
 */
final class PendingRequests {
    private static final int REMEMBERED = 1 << 12;
    private static final int MAX_TRIED = 16;

    private final int mtuBytes;
    private final Map<Integer, CapturedPacket> waiting = new LinkedHashMap<>();
    private final Map<Integer, Deque<CapturedPacket>> waitingByPsn = new LinkedHashMap<>();
    private final Deque<CapturedPacket> delivered = new ArrayDeque<>();

    /** PSN with which the responder acknowledges a duplicate SEND or WRITE. */
    private int acknowledgedPsn;

    private final ComparisonLimits effort;

    PendingRequests(int mtuBytes, ComparisonLimits effort) {
        this.mtuBytes = mtuBytes;
        this.effort = effort;
    }

    // rule rc-duplicate
    /** Sets the last PSN of the SENDs, WRITEs and atomics that the responder has executed, or the PSN before its first. */
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
     * Returns the request that must have arrived next for a responder that expects that PSN to give the response. If several
     * packets may have shown it a gap, none of them is removed.
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

    /** Returns the next request in order, for any response; empty if it was not captured yet. */
    Optional<CapturedPacket> nextInOrder(int expectedPsn) {
        Optional<CapturedPacket> next = inOrder(expectedPsn);
        next.ifPresent(this::deliver);
        return next;
    }

    /**
     * Returns the requests of which one must have arrived once more, if nothing else explains the response; one for each PSN.
     */
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
        Deque<CapturedPacket> pending = waitingByPsn.get(psn);
        return pending == null ? Optional.empty() : Optional.ofNullable(pending.peekFirst());
    }

    private void deliver(CapturedPacket request) {
        waiting.remove(request.frame());
        Deque<CapturedPacket> pending = waitingByPsn.get(request.psn());
        if (pending != null) {
            pending.remove(request);
        }
        delivered.addLast(request);
        if (delivered.size() > REMEMBERED) {
            delivered.removeFirst();
        }
    }

    /** True if the response is about a PSN that has not arrived: then all requests up to it have arrived. */
    private static boolean isInOrder(CapturedPacket answer, int expectedPsn) {
        int ahead = Psn.compare(answer.psn(), expectedPsn);
        return answer.isSequenceNak() ? ahead > 0 : ahead >= 0;
    }

    /** Matches requests that cause a responder in that state to give the response. */
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

    /** A READ with exactly that PSN first, then in the order of capture. */
    private static int order(CapturedPacket one, CapturedPacket other, CapturedPacket answer) {
        boolean exact = one.psn() == answer.psn();
        boolean otherExact = other.psn() == answer.psn();
        return exact == otherExact ? Integer.compare(one.frame(), other.frame()) : exact ? -1 : 1;
    }
}
