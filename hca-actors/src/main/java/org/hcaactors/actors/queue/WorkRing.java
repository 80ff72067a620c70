// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.hcaactors.adapter.completion.SlotOwner;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * The doorbell and the slots of one work queue. Callers put work into the ring and ring one bell if none is pending; the
 * queue pair drains, and rests until the bell rings. A slot is taken by putting and is free again when a completion has been
 * taken. Many producers, one consumer.
 *
 * <p>No wake-up is lost: taking a slot is a full fence before the look at the bell, and the consumer, when it has drained and
 * {@linkplain #rest has set the bell up}, looks whether a slot was taken whose entry it has not seen, and then rings itself. So
 * an entry needs no fence of its own.
 *
 * <p>A consumer that comes by itself before it needs what stands here {@linkplain #silence silences} the bell: putting then wakes
 * nobody. When it {@linkplain #listen listens} again it sets the bell up and looks, as above, so nothing is lost there either.
 *
 * <p>Nor is an entry lost at the end: sealing and taking a slot are changes of one word, so a producer either finds the ring
 * sealed or has a slot that the consumer knows of and waits for.
 *
 * <p>A ring has {@link Slots} from its first entry on.
 */
final class WorkRing<T> {
    @SuppressWarnings("rawtypes") // a class literal has no type argument
    private static final AtomicIntegerFieldUpdater<WorkRing> PENDING =
            AtomicIntegerFieldUpdater.newUpdater(WorkRing.class, "pending");

    private final int capacity;
    private final Runnable bell;

    /** {@link #SET_UP}, {@link #RUNG} or {@link #SILENT}; producers change the first to the second, the consumer all else. */
    private volatile int pending = SET_UP;

    private volatile Life life = new Life(0);
    private volatile @Nullable Slots<T> slots;

    /**
     * What producers count, what the consumer counts, and what both only read lie on cache lines of their own: else a caller
     * that posts while the queue pair drains would wait for a line with each request. HotSpot keeps fields of one size in the
     * order in which they are declared.
     */
    @SuppressWarnings("unused") // what stands between
    private static final class Slots<T> {
        @SuppressWarnings("rawtypes") // a class literal has no type argument
        static final AtomicLongFieldUpdater<Slots> TAKEN = AtomicLongFieldUpdater.newUpdater(Slots.class, "taken");

        final AtomicReferenceArray<@Nullable T> entries;

        long a1, a2, a3, a4, a5, a6, a7;

        /** Slots that were taken so far; with {@link #SEALED}, no more will be. */
        volatile long taken;

        long b1, b2, b3, b4, b5, b6, b7;

        /** Entries that were polled so far; the consumer's own. */
        long head;

        long c1, c2, c3, c4, c5, c6, c7;

        Slots(int capacity, long taken) {
            entries = new AtomicReferenceArray<>(Math.max(1, capacity));
            this.taken = taken;
        }

        /** Slots that were taken and whose entries were not polled. */
        int behind() {
            return (int) ((taken & ~SEALED) - head);
        }
    }

    /** The time between two resets: completions of an earlier one free nothing any more. */
    private static final class Life implements SlotOwner {
        private static final AtomicLongFieldUpdater<Life> RELEASED =
                AtomicLongFieldUpdater.newUpdater(Life.class, "released");

        volatile long released;

        Life(long released) {
            this.released = released;
        }

        @Override
        public void release(int slots) {
            RELEASED.getAndAdd(this, slots);
        }
    }

    /** Who puts rings. */
    private static final int SET_UP = 0;

    /** The consumer was rung for and has not come. */
    private static final int RUNG = 1;

    /** The consumer comes by itself. */
    private static final int SILENT = 2;

    private static final long SEALED = Long.MIN_VALUE;

    /** What {@link #claim} answers when there is no slot. */
    static final long FULL = -1;

    /** What {@link #claim} answers when there will be none any more. */
    static final long CLOSED = -2;

    /**
     * @param capacity a power of two, or 0
     * @param bell tells the consumer, once for each time that it has set the bell up
     */
    WorkRing(int capacity, Runnable bell) {
        this.capacity = capacity;
        this.bell = bell;
    }

    /** False, and nothing put, if every slot is taken or the ring is sealed. */
    boolean put(T work) {
        long slot = claim();
        if (slot < 0) {
            return false;
        }
        fill(slot, work);
        return true;
    }

    // rules post-full, post-slot
    /** A slot that must be {@linkplain #fill filled} at once; {@link #FULL} if every slot is taken, or {@link #CLOSED}. */
    long claim() {
        Slots<T> slots = slots(capacity, 0);
        long slot;
        do {
            slot = slots.taken;
            if (slot < 0) {
                return CLOSED;
            }
            if (slot - life.released >= capacity) {
                return FULL;
            }
        } while (!Slots.TAKEN.compareAndSet(slots, slot, slot + 1));
        return slot;
    }

    void fill(long slot, T work) {
        slots(capacity, 0).entries.setRelease((int) slot & capacity - 1, work);
        ring();
    }

    private void ring() {
        if (pending == SET_UP && PENDING.compareAndSet(this, SET_UP, RUNG)) {
            bell.run();
        }
    }

    /** The consumer has polled what there was: it comes again when the bell rings, unless that is silent. */
    void rest() {
        if (pending != SILENT) {
            listen();
        }
    }

    /** From now on the bell rings, and at once if something was announced and not polled. */
    @MutationPoint("work-ring.listen")
    void listen() {
        pending = SET_UP;
        if (isBehind()) {
            ring();
        }
    }

    /** From now on the consumer comes without being rung for; who rings just now is heard once more. */
    void silence() {
        pending = SILENT;
    }

    boolean isSilent() {
        return pending == SILENT;
    }

    /** The next work, or null when there is none. */
    @Nullable
    T poll() {
        Slots<T> slots = this.slots;
        if (slots == null) {
            return null;
        }
        int index = (int) slots.head & capacity - 1;
        T work = slots.entries.getAcquire(index);
        if (work != null) {
            slots.entries.setPlain(index, null);
            slots.head++;
        }
        return work;
    }

    /** A slot was taken whose entry is about to appear: the consumer must come back. */
    boolean isBehind() {
        return behind() > 0;
    }

    /** Slots that were taken and whose entries were not polled. */
    int behind() {
        Slots<T> slots = this.slots;
        return slots == null ? 0 : slots.behind();
    }

    /** Slots that were taken and are not free again. */
    int inUse() {
        Slots<T> slots = this.slots;
        return slots == null ? 0 : (int) ((slots.taken & ~SEALED) - life.released);
    }

    /** No slot is given any more; the consumer takes what has one, and then nothing will come. */
    void seal() {
        // Made here it is sealed from the start: nobody may find it open, with no room.
        Slots<T> slots = slots(1, SEALED);
        long taken;
        do {
            taken = slots.taken;
        } while (!Slots.TAKEN.compareAndSet(slots, taken, taken | SEALED));
    }

    /** Who frees the slots of what is put now. */
    SlotOwner owner() {
        return life;
    }

    /** Everything that was polled is dropped, and its slots are free; an entry that is about to appear keeps its own. */
    void reset() {
        Slots<T> slots = this.slots;
        life = new Life(slots == null ? 0 : slots.head);
    }

    private Slots<T> slots(int entries, long taken) {
        Slots<T> slots = this.slots;
        return slots != null ? slots : create(entries, taken);
    }

    private synchronized Slots<T> create(int entries, long taken) {
        Slots<T> slots = this.slots;
        if (slots == null) {
            slots = new Slots<>(entries, taken);
            this.slots = slots;
        }
        return slots;
    }
}
