package org.hcaactors.adapter.queue;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.hcaactors.adapter.completion.SlotOwner;
import org.jspecify.annotations.Nullable;

/**
 * The doorbell and the slots of one work queue. Callers put work into the ring and ring one bell if none is pending; the
 * queue pair clears the bell and drains. A slot is taken by putting and is free again when a completion has been taken.
 * Many producers, one consumer.
 *
 * <p>No wake-up is lost: taking a slot is a full fence before the look at the bell, and the consumer looks, after it has
 * cleared the bell and drained, whether a slot was taken whose entry it has not seen ({@link #isBehind}). So an entry
 * needs no fence of its own.
 */
final class WorkRing<T> {
    private final int capacity;
    private final Runnable bell;
    private final AtomicBoolean pending = new AtomicBoolean();
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong released = new AtomicLong();
    private volatile Life life = new Life();
    private volatile @Nullable AtomicReferenceArray<@Nullable T> ring;
    private long head;

    /** The time between two resets: completions of an earlier one free nothing any more. */
    private final class Life implements SlotOwner {
        @Override
        public void release(int slots) {
            if (life == this) {
                released.getAndAdd(slots);
            }
        }
    }

    /** What {@link #claim} answers when there is no slot. */
    static final long FULL = -1;

    /**
     * @param capacity a power of two, or 0
     * @param bell tells the consumer, once for each time that it has cleared the bell
     */
    WorkRing(int capacity, Runnable bell) {
        this.capacity = capacity;
        this.bell = bell;
    }

    /** False, and nothing put, if every slot is taken. */
    boolean put(T work) {
        long slot = claim();
        if (slot == FULL) {
            return false;
        }
        fill(slot, work);
        return true;
    }

    /** A slot that is to be {@linkplain #fill filled} at once; {@link #FULL} if every slot is taken. */
    long claim() {
        long slot;
        do {
            slot = taken.get();
            if (slot - released.get() >= capacity) {
                return FULL;
            }
        } while (!taken.compareAndSet(slot, slot + 1));
        return slot;
    }

    void fill(long slot, T work) {
        slots().setRelease((int) slot & capacity - 1, work);
        if (!pending.get() && pending.compareAndSet(false, true)) {
            bell.run();
        }
    }

    /** To be called before {@link #poll} when the bell has rung. */
    void clearBell() {
        pending.set(false);
    }

    /** The next work, or null when there is none. */
    @Nullable
    T poll() {
        AtomicReferenceArray<@Nullable T> slots = ring;
        if (slots == null) {
            return null;
        }
        int index = (int) head & capacity - 1;
        T work = slots.getAcquire(index);
        if (work != null) {
            slots.setPlain(index, null);
            head++;
        }
        return work;
    }

    /** A slot was taken whose entry is about to appear: the consumer must come back. */
    boolean isBehind() {
        return head != taken.get();
    }

    /** Who frees the slots of what is put now. */
    SlotOwner owner() {
        return life;
    }

    /** The queue was drained and everything on it dropped: every slot is free. */
    void reset() {
        life = new Life();
        released.set(taken.get());
    }

    private AtomicReferenceArray<@Nullable T> slots() {
        AtomicReferenceArray<@Nullable T> slots = ring;
        return slots != null ? slots : create();
    }

    private synchronized AtomicReferenceArray<@Nullable T> create() {
        AtomicReferenceArray<@Nullable T> slots = ring;
        if (slots == null) {
            slots = new AtomicReferenceArray<>(capacity);
            ring = slots;
        }
        return slots;
    }
}
