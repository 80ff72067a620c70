// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.packet.ExtendedHeader;

/**
 * Words of memory that other queue pairs, or requests that the machines do not receive, may change: their values do not follow
 * from the compared requests. Computed when the first atomic needs it. Not thread-safe.
 */
final class SharedMemoryWords {
    /**
     * A range of the responder's address space.
     *
     * @param lengthBytes 32 bits unsigned
     */
    record Range(long address, long lengthBytes) {}

    private final PacketDirection direction;
    private final List<PacketDirection> all;
    private final ComparisonLimits effort;

    /** Addresses of words that others access. */
    private final NumberRanges words = new NumberRanges();

    private Optional<Boolean> isAny = Optional.empty();

    private SharedMemoryWords(PacketDirection direction, List<PacketDirection> all, ComparisonLimits effort) {
        this.direction = direction;
        this.all = all;
        this.effort = effort;
    }

    /** Returns the words that other conversations with the same responder change by atomics and RDMA WRITE. */
    static SharedMemoryWords byOthersThan(
            PacketDirection direction, List<PacketDirection> all, ComparisonLimits effort) {
        return new SharedMemoryWords(direction, all, effort);
    }

    boolean includes(long word) {
        if (isAny.isEmpty()) {
            isAny = Optional.of(look());
        }
        return isAny.get() || words.contains(word);
    }

    /** @return true if any word may be changed */
    private boolean look() {
        boolean any = false;
        for (PacketDirection other : all) {
            effort.takes(1);
            if (!other.responder().equals(direction.responder())) {
                continue;
            }
            for (SkippedPacket packet : other.unknown().packets()) {
                packet.changes().ifPresent(this::add);
                any |= packet.mayChangeMemory();
            }
            boolean same = other.transport() == direction.transport()
                    && other.responderQp() == direction.responderQp()
                    && other.requester().equals(direction.requester());
            if (!same) {
                other.requests().stream().filter(CapturedPacket::isIntact).forEach(this::add);
            }
        }
        return any;
    }

    private void add(CapturedPacket request) {
        switch (request.operation().family()) {
            case ATOMIC -> add(new Range(request.packet().atomicEth().address(), Long.BYTES));
            case WRITE -> {
                if (request.operation().starts()) {
                    ExtendedHeader.Reth to = request.packet().reth();
                    add(new Range(to.address(), to.lengthUnsigned()));
                }
            }
            case SEND, SEND_WITH_INVALIDATE, READ, READ_RESPONSE, ATOMIC_ACKNOWLEDGE, ACKNOWLEDGE, NOTIFY, SESSION -> {}
        }
    }

    /** A word that begins up to seven bytes before a range overlaps it. Addresses are unsigned, and may wrap. */
    private void add(Range range) {
        effort.takes(4);
        long from = range.address - Long.BYTES + 1;
        long end = range.address + range.lengthBytes;
        if (from <= end) {
            words.add(from, end);
        } else {
            words.add(from, Long.MAX_VALUE);
            words.add(Long.MIN_VALUE, end);
        }
    }
}
