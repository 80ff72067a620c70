// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.UnaryOperator;
import org.hcaactors.adapter.completion.SlotOwner;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * The slots and the doorbell of one work queue. Callers put work into the ring and ring the bell if no ring is pending; the
 * queue pair drains the ring and rests until the bell rings. Putting claims a slot; the slot is free again when its completion
 * has been taken. Many producers, one consumer.
 *
 * <p>No wake-up is lost: claiming a slot is a full fence before the producer reads the bell. After draining, the consumer
 * {@linkplain #rest sets the bell up} and then checks whether a slot is claimed whose entry it has not polled; if so, it rings
 * the bell itself. So filling a slot needs no fence of its own, and a producer of several entries claims all of their slots and
 * rings once.
 *
 * <p>A consumer that polls by itself before it needs the entries {@linkplain #silence silences} the bell: putting then wakes no
 * thread. When it {@linkplain #listen listens} again it sets the bell up and makes the same check, so no wake-up is lost there
 * either.
 *
 * <p>No entry is lost at the end: sealing and claiming modify the same word, so a producer either finds the ring sealed or has
 * a slot that the consumer knows and waits for.
 *
 * <p>The ring allocates its {@link Slots} for the first entry.
 */
final class WorkRing<T> {
    @SuppressWarnings("rawtypes") // a class literal has no type argument
    private static final AtomicIntegerFieldUpdater<WorkRing> PENDING =
            AtomicIntegerFieldUpdater.newUpdater(WorkRing.class, "pending");

    private final int capacity;
    private final Runnable bell;

    /**
     * {@link #SET_UP}, {@link #RUNG} or {@link #SILENCED}; producers change SET_UP to RUNG, the consumer makes all other changes.
     */
    private volatile int pending = SET_UP;

    private volatile Life life = new Life(0);
    private volatile @Nullable Slots<T> slots;

    /**
     * The producers' counter, the consumer's counter and the read-only fields are on separate cache lines; otherwise every post
     * during a drain would wait for a cache line. HotSpot keeps fields of one size in the order of declaration.
     */
    @SuppressWarnings("unused") // padding
    private static final class Slots<T> {
        @SuppressWarnings("rawtypes") // a class literal has no type argument
        static final AtomicLongFieldUpdater<Slots> CLAIMED = AtomicLongFieldUpdater.newUpdater(Slots.class, "claimed");

        final AtomicReferenceArray<@Nullable T> entries;

        long a1, a2, a3, a4, a5, a6, a7;

        /** Number of slots claimed so far; with {@link #SEALED} set, no more can be claimed. */
        volatile long claimed;

        long b1, b2, b3, b4, b5, b6, b7;

        /** Number of entries polled so far; used by the consumer only. */
        long head;

        long c1, c2, c3, c4, c5, c6, c7;

        Slots(int capacity, long taken) {
            entries = new AtomicReferenceArray<>(Math.max(1, capacity));
            this.claimed = taken;
        }

        /** Returns the number of claimed slots whose entries are not polled. */
        int unpolled() {
            return (int) ((claimed & ~SEALED) - head);
        }
    }

    /**
     * Consecutive slots.
     *
     * @param first the first slot, or {@link #FULL} or {@link #CLOSED}
     */
    record Claim(long first, int count) {}

    private static final Claim NOTHING = new Claim(0, 0);

    /** Slot owner for the time between two resets: completions from before a reset release nothing any more. */
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

    /** The next producer rings the bell. */
    private static final int SET_UP = 0;

    /** The bell has rung and the consumer has not polled yet. */
    private static final int RUNG = 1;

    /** The consumer polls by itself. */
    private static final int SILENCED = 2;

    private static final long SEALED = Long.MIN_VALUE;

    /** Result of {@link #claim} if there is no free slot. */
    static final long FULL = -1;

    /** Result of {@link #claim} if the ring is sealed. */
    static final long CLOSED = -2;

    /**
     * @param capacity a power of two, or 0
     * @param bell notifies the consumer, once for each time that it has set the bell up
     */
    WorkRing(int capacity, Runnable bell) {
        this.capacity = capacity;
        this.bell = bell;
    }

    /** Puts an entry; false, without effect, if every slot is claimed or the ring is sealed. */
    boolean put(T work) {
        long slot = claim();
        if (slot < 0) {
            return false;
        }
        fill(slot, work);
        return true;
    }

    // rules post-full, post-slot
    /**
     * Claims a slot, which must be {@linkplain #fill filled} at once. Returns {@link #FULL} if every slot is claimed, {@link
     * #CLOSED} if the ring is sealed.
     */
    long claim() {
        return claim(1, 1).first;
    }

    // rules post-full, post-list
    /** Claims consecutive slots, as many as are free between these numbers; each must be filled at once. */
    private Claim claim(int atLeast, int atMost) {
        Slots<T> slots = slots(capacity, 0);
        long slot;
        int count;
        do {
            slot = slots.claimed;
            if (slot < 0) {
                return new Claim(CLOSED, 0);
            }
            count = (int) Math.min(atMost, capacity - (slot - life.released));
            if (count < atLeast) {
                return new Claim(FULL, 0);
            }
        } while (!Slots.CLAIMED.compareAndSet(slots, slot, slot + count));
        return new Claim(slot, count);
    }

    void fill(long slot, T work) {
        place(slot, work);
        ring();
    }

    // rule post-list
    /**
     * Puts entries into consecutive slots, as many as are free, and rings once. If {@code last} throws, the entries from there on
     * are put as they are, since the consumer waits for every claimed slot.
     *
     * @param last called for each entry that has a slot, before it is put; returns what is put
     */
    @MutationPoint("work-ring.put-all")
    Claim putAll(List<T> entries, UnaryOperator<T> last) {
        return entries.isEmpty() ? NOTHING : fill(claim(1, entries.size()), entries, last);
    }

    // rule post-list
    /** Puts all entries or, if not each has a free slot, none; otherwise as {@link #putAll}. */
    Claim putWhole(List<T> entries, UnaryOperator<T> last) {
        return entries.isEmpty() ? NOTHING : fill(claim(entries.size(), entries.size()), entries, last);
    }

    private Claim fill(Claim claim, List<T> entries, UnaryOperator<T> last) {
        int placed = 0;
        try {
            for (; placed < claim.count; placed++) {
                place(claim.first + placed, last.apply(entries.get(placed)));
            }
        } finally {
            for (; placed < claim.count; placed++) {
                place(claim.first + placed, entries.get(placed));
            }
            if (placed > 0) {
                ring();
            }
        }
        return claim;
    }

    private void place(long slot, T work) {
        slots(capacity, 0).entries.setRelease((int) slot & capacity - 1, work);
    }

    private void ring() {
        if (pending == SET_UP && PENDING.compareAndSet(this, SET_UP, RUNG)) {
            bell.run();
        }
    }

    /** Called by the consumer after it has polled all entries: sets the bell up, unless it is silent. */
    void rest() {
        if (pending != SILENCED) {
            listen();
        }
    }

    /** Sets the bell up, and rings it at once if a slot is claimed and not polled. */
    @MutationPoint("work-ring.listen")
    void listen() {
        pending = SET_UP;
        if (hasUnpolled()) {
            ring();
        }
    }

    /** Silences the bell: the consumer polls by itself. A ring in progress may still notify it once. */
    void silence() {
        pending = SILENCED;
    }

    boolean isSilenced() {
        return pending == SILENCED;
    }

    /** Returns the next entry, or null if there is none. */
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

    /** True if a slot is claimed whose entry is not polled: the consumer must poll again. */
    boolean hasUnpolled() {
        return unpolled() > 0;
    }

    /** Returns the number of claimed slots whose entries are not polled. */
    int unpolled() {
        Slots<T> slots = this.slots;
        return slots == null ? 0 : slots.unpolled();
    }

    /** Returns the number of claimed slots that are not free again. */
    int inUse() {
        Slots<T> slots = this.slots;
        return slots == null ? 0 : (int) ((slots.claimed & ~SEALED) - life.released);
    }

    /** Refuses further claims. Entries of slots that are claimed already can still be polled. */
    void seal() {
        // Slots created here are sealed from the start, so that no producer finds them open with the wrong capacity.
        Slots<T> slots = slots(1, SEALED);
        long taken;
        do {
            taken = slots.claimed;
        } while (!Slots.CLAIMED.compareAndSet(slots, taken, taken | SEALED));
    }

    /** Returns the owner that frees the slots of entries put from now on. */
    SlotOwner owner() {
        return life;
    }

    /** Frees the slots of all polled entries; slots whose entries are not polled stay claimed. */
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
