// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.number;

import java.util.LinkedHashSet;
import java.util.Optional;

// rule dc-pool
/**
 * Pool of an adapter's DC responders, shared by all its targets. Freed responders are reused last (FIFO), with a new session
 * number, so that late packets of the last session find nothing. Any thread.
 */
public final class ResponderPool {
    private static final int SESSION_BITS = 24;
    private static final int MAX = (1 << SESSION_BITS) - 1;

    /** A holder of responders, which may be asked to give one up. */
    @FunctionalInterface
    public interface Holder {
        /** Another holder found no free responder. Any thread; must return at once. */
        void requested();
    }

    private final NumberSpace indices;
    private final LinkedHashSet<Holder> holders = new LinkedHashSet<>();
    private final int size;
    private final int indexBits;

    /** @param size number of responders, at most 2^24 - 1 of which have a number; 0 if the adapter has no DC */
    public ResponderPool(int size) {
        this.size = Math.min(MAX, size);
        indices = new NumberSpace("responders", 1, Math.max(1, this.size), 1);
        indexBits = Math.min(SESSION_BITS, Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, this.size)));
    }

    /**
     * One responder.
     *
     * @param index index, from 1
     * @param sessionId number of the session that it is taken for, 24 bits, never 0
     */
    public record Slot(int index, int sessionId) {}

    /** Takes a responder; empty if none is free. Another target may have taken those that {@link #free()} counted. */
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
    /** Asks another holder to give a responder up, each in its turn; {@code by} found none and has none to give up. */
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

    /** Number of free responders. */
    public synchronized int free() {
        return size - indices.inUse();
    }
}
