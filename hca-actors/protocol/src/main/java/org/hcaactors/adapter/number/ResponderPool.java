// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.number;

import java.util.LinkedHashSet;
import java.util.Optional;

// rule dc-pool
/**
 * The responders of an adapter, which all its targets share. One that was freed comes back when every other one that was free
 * had its turn, under another number of its session, so that what is late for its last session finds nothing. Any thread.
 */
public final class ResponderPool {
    private static final int SESSION_BITS = 24;
    private static final int MAX = (1 << SESSION_BITS) - 1;

    /** Who takes responders, and may be asked to give one up. */
    @FunctionalInterface
    public interface Holder {
        /** Another one found none. Any thread; to return at once. */
        void requested();
    }

    private final NumberSpace indices;
    private final LinkedHashSet<Holder> holders = new LinkedHashSet<>();
    private final int size;
    private final int indexBits;

    /** @param size how many there are, of which 2^24 - 1 have a number; 0 where the adapter has no such transport */
    public ResponderPool(int size) {
        this.size = Math.min(MAX, size);
        indices = new NumberSpace("responders", 1, Math.max(1, this.size), 1);
        indexBits = Math.min(SESSION_BITS, Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, this.size)));
    }

    /**
     * One of them.
     *
     * @param index from 1 on
     * @param sessionId 24 bits, never 0: of what it is taken for
     */
    public record Slot(int index, int sessionId) {}

    /** Empty where none is free: what {@link #free} said before, another target may have taken since. */
    public synchronized Optional<Slot> take() {
        if (free() <= 0) {
            return Optional.empty();
        }
        int index = indices.take();
        int generation = indices.laps() & (1 << SESSION_BITS - indexBits) - 1;
        return Optional.of(new Slot(index, generation << indexBits | index));
    }

    public synchronized void free(Slot slot) {
        indices.free(slot.index);
    }

    public synchronized void joins(Holder holder) {
        holders.add(holder);
    }

    public synchronized void leaves(Holder holder) {
        holders.remove(holder);
    }

    // rule dc-reclaim
    /** That one found none, and has none to give up: another is asked, each in its turn. */
    public void requested(Holder by) {
        next(by).ifPresent(Holder::requested);
    }

    private synchronized Optional<Holder> next(Holder by) {
        for (int i = Math.min(2, holders.size()); i > 0; i--) {
            Holder first = holders.removeFirst();
            holders.addLast(first);
            if (first != by) {
                return Optional.of(first);
            }
        }
        return Optional.empty();
    }

    /** How many nobody has. */
    public synchronized int free() {
        return size - indices.inUse();
    }
}
