// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.srq;

import org.hcaactors.adapter.number.Limits;
import org.hcaactors.api.capability.SharedReceiveCapabilities;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.SrqCapacity;
import org.hcaactors.api.queue.SrqDescription;

/**
 * Checks of what an adapter's shared receive queues are asked for, with the resulting capacities. A refusal is a
 * VerbsException.
 */
public record SrqChecks(SharedReceiveCapabilities can) {
    /** Size of the segment that links to the next receive, in bytes. */
    private static final int NEXT = 16;

    private static final int ELEMENT = 16;
    private static final int MIN_RECEIVE = 32;

    // rule receive-size
    public SrqCapacity capacity(SrqDescription<?> requested) {
        int min = can.maxWr() == 0 ? 1 : 0;
        return SrqCapacity.of(capacityFor(Limits.within("maxWr", requested.maxWr(), min, can.maxWr())))
                .withMaxSge(Limits.within("maxSge", requested.maxSge(), 0, can.maxSge()));
    }

    /** Returns the next power of two above, minus one, as mlx5 allocates. */
    public int capacityFor(int receives) {
        return (int) Math.min(can.maxWr(), powerOfTwo(receives + 1L) - 1);
    }

    // rule pages-queues
    /**
     * Size of the queue's buffer in bytes: a power of two of receives, at least one more than can be posted, each of a power of
     * two of bytes.
     */
    public static long bufferBytes(SrqCapacity capacity) {
        long receive = Math.max(MIN_RECEIVE, NEXT + (long) ELEMENT * capacity.maxSge());
        return powerOfTwo(capacity.maxWr() + 1L) * powerOfTwo(receive);
    }

    private static long powerOfTwo(long atLeast) {
        return Long.highestOneBit(atLeast * 2 - 1);
    }

    /** @param slots current capacity of the queue */
    public static void checkLimit(int limit, int slots) {
        if (limit < 0 || limit > slots) {
            throw VerbsException.invalid("the limit is " + limit + " receives; 0 to " + slots + " is allowed");
        }
    }

    public void checkResize(int maxWr) {
        if (maxWr < 1 || maxWr > can.maxWr()) {
            throw VerbsException.invalid(
                    "maxWr of a shared receive queue is " + maxWr + "; 1 to " + can.maxWr() + " is allowed");
        }
    }
}
