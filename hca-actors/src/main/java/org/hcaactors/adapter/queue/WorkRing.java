package org.hcaactors.adapter.queue;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The doorbell: callers put work into a ring and ring one bell if none is pending; the queue pair clears the bell and
 * drains. Many producers, one consumer. Slots are published with a full volatile store, because a release store and the
 * look at the bell could change places and lose a wake-up.
 */
final class WorkRing<T> {
    private final int mask;
    private final Runnable bell;
    private final AtomicBoolean pending = new AtomicBoolean();
    private final AtomicLong tail = new AtomicLong();
    private volatile @Nullable AtomicReferenceArray<@Nullable T> ring;
    private long head;

    /**
     * @param capacity a power of two; the caller's slots keep the ring from overflowing
     * @param bell tells the consumer once for each time that it has cleared the bell
     */
    WorkRing(int capacity, Runnable bell) {
        this.mask = capacity - 1;
        this.bell = bell;
    }

    void put(T work) {
        AtomicReferenceArray<@Nullable T> slots = slots();
        slots.set((int) tail.getAndIncrement() & mask, work);
        if (!pending.get() && pending.compareAndSet(false, true)) {
            bell.run();
        }
    }

    /** To be called before {@link #poll} when the bell has rung. */
    void clearBell() {
        pending.set(false);
    }

    /** The next work, or null when there is none. */
    @Nullable T poll() {
        AtomicReferenceArray<@Nullable T> slots = ring;
        if (slots == null) {
            return null;
        }
        int index = (int) head & mask;
        T work = slots.getAcquire(index);
        if (work != null) {
            slots.setPlain(index, null);
            head++;
        }
        return work;
    }

    private AtomicReferenceArray<@Nullable T> slots() {
        AtomicReferenceArray<@Nullable T> slots = ring;
        return slots != null ? slots : create();
    }

    private synchronized AtomicReferenceArray<@Nullable T> create() {
        AtomicReferenceArray<@Nullable T> slots = ring;
        if (slots == null) {
            slots = new AtomicReferenceArray<>(mask + 1);
            ring = slots;
        }
        return slots;
    }
}
