// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.fabric.packet.ExtendedHeader;

/**
 * Memory that other queue pairs change, too, or requests that our machines are not given: what an atomic finds there is not of the
 * making of what they are given.
 *
 * @param ranges at the responder
 * @param isAny any word may be changed
 */
record WordsInUse(List<Range> ranges, boolean isAny) {
    /**
     * A piece of the responder's address space.
     *
     * @param lengthBytes 32 bits unsigned
     */
    record Range(long address, long lengthBytes) {
        boolean touchesWordAt(long word) {
            long before = word - address;
            return before >= 0 ? before < lengthBytes : -before < Long.BYTES;
        }
    }

    WordsInUse {
        ranges = List.copyOf(ranges);
    }

    /** What other conversations with the same responder change by atomics and RDMA WRITE, or nobody knows what. */
    static WordsInUse byOthersThan(Leg leg, List<Leg> all) {
        List<Range> ranges = new ArrayList<>();
        boolean isAny = false;
        for (Leg other : all) {
            if (other.responder().equals(leg.responder())) {
                List<Unplayed> unplayed = other.unknown().packets();
                unplayed.forEach(packet -> packet.changes().ifPresent(ranges::add));
                isAny |= unplayed.stream().anyMatch(Unplayed::changesAnything);
            }
            boolean same = other.transport() == leg.transport()
                    && other.responderQp() == leg.responderQp()
                    && other.requester().equals(leg.requester());
            if (!same && other.responder().equals(leg.responder())) {
                other.requests().stream().filter(Heard::isIntact).forEach(request -> add(request, ranges));
            }
        }
        return new WordsInUse(ranges, isAny);
    }

    private static void add(Heard request, List<Range> ranges) {
        switch (request.operation().family()) {
            case ATOMIC -> ranges.add(new Range(request.packet().atomicEth().address(), Long.BYTES));
            case WRITE -> {
                if (request.operation().starts()) {
                    ExtendedHeader.Reth to = request.packet().reth();
                    ranges.add(new Range(to.address(), to.lengthUnsigned()));
                }
            }
            case SEND, SEND_WITH_INVALIDATE, READ, READ_RESPONSE, ATOMIC_ACKNOWLEDGE, ACKNOWLEDGE, NOTIFY, SESSION -> {}
        }
    }

    boolean includes(long word) {
        return isAny || ranges.stream().anyMatch(range -> range.touchesWordAt(word));
    }
}
