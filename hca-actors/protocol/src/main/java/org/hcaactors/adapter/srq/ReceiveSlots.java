// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.srq;

import java.util.concurrent.atomic.AtomicLong;
import org.hcaactors.adapter.completion.SlotOwner;

/**
 * Slots of a shared receive queue: posting takes one, and it is freed when the receive's completion is taken from its
 * completion queue. Any thread.
 */
public final class ReceiveSlots implements SlotOwner {
    /**
     * The capacity in the upper half, the outstanding receives in the lower: one word, so that no thread takes a slot that a
     * resize removes.
     */
    private final AtomicLong both;

    public ReceiveSlots(int capacity) {
        both = new AtomicLong(word(capacity, 0));
    }

    private static long word(int capacity, int outstanding) {
        return (long) capacity << Integer.SIZE | outstanding;
    }

    private static int capacity(long word) {
        return (int) (word >>> Integer.SIZE);
    }

    private static int outstanding(long word) {
        return (int) word;
    }

    public int capacity() {
        return capacity(both.get());
    }

    public int outstanding() {
        return outstanding(both.get());
    }

    /** Takes a slot; returns false if none is free. */
    public boolean take() {
        return take(1) == 1;
    }

    /** Takes as many slots as are free, at most that many; returns their number. */
    public int take(int atMost) {
        long now;
        int count;
        do {
            now = both.get();
            count = Math.min(atMost, capacity(now) - outstanding(now));
            if (count <= 0) {
                return 0;
            }
        } while (!both.compareAndSet(now, now + count));
        return count;
    }

    @Override
    public void release(int slots) {
        both.getAndAdd(-slots);
    }

    /** Resizes the queue; returns false, and changes nothing, if more slots are taken. */
    public boolean resize(int slots) {
        long now;
        do {
            now = both.get();
            if (outstanding(now) > slots) {
                return false;
            }
        } while (!both.compareAndSet(now, word(slots, outstanding(now))));
        return true;
    }
}
