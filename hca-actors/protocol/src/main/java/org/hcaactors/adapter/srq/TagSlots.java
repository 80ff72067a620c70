// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.srq;

import java.util.concurrent.atomic.AtomicLong;
import org.hcaactors.adapter.completion.SlotOwner;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.mutation.MutationPoint;

/**
 * Slots of a tag list, and slots of the operations under way on it. Both are freed when completions are polled, and one
 * completion may free some of each, so both are counted in one number. Any thread.
 */
public final class TagSlots implements SlotOwner {
    public static final int OPERATION = 1;
    public static final int PLACE = 1 << 16;

    private final int places;
    private final int operations;

    /** Slots in use, in the same encoding. */
    private final AtomicLong inUse = new AtomicLong();

    /** @param places at most 32,767, since their number is in the bits above that of the operations */
    public TagSlots(int places, int operations) {
        this.places = places;
        this.operations = operations;
    }

    public int places() {
        return places;
    }

    public int operations() {
        return operations;
    }

    // rules tag-list-full, tag-operations-full
    /** Takes slots. VerbsException (ENOMEM), and nothing is taken, if too few of either are free. */
    public void take(int slots) {
        long now;
        do {
            now = inUse.get();
            if (operationsOf(now) + operationsOf(slots) > operations) {
                throw new VerbsException(
                        Errno.ENOMEM,
                        operations
                                + " operations on the tag list, the maximum, are outstanding; they end when a signaled one completes");
            }
            if (placesOf(now) + placesOf(slots) > places) {
                throw new VerbsException(Errno.ENOMEM, "the tag list of " + places + " receives is full");
            }
        } while (!inUse.compareAndSet(now, now + slots));
    }

    private static long operationsOf(long slots) {
        return slots & (PLACE - 1);
    }

    private static long placesOf(long slots) {
        return slots >>> 16;
    }

    @Override
    @MutationPoint("tag-slots.release")
    public void release(int slots) {
        inUse.getAndAdd(-slots);
    }
}
