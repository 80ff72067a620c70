// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.number;

// rule dc-pool
/**
 * The responders of an adapter, which all its targets share. One that was freed comes back when every other one that was free
 * had its turn, under another number of its session, so that what is late for its last session finds nothing. Any thread.
 */
public final class ResponderPool {
    private static final int SESSION_BITS = 24;

    private final NumberSpace indices;
    private final int size;
    private final int indexBits;

    /** @param size how many there are; 0 where the adapter has no such transport */
    public ResponderPool(int size) {
        this.size = size;
        indices = new NumberSpace("responders", 1, Math.max(1, size), 1);
        indexBits = Math.min(SESSION_BITS, Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, size)));
    }

    /**
     * One of them.
     *
     * @param index from 1 on
     * @param sessionId 24 bits, never 0: of what it is taken for
     */
    public record Slot(int index, int sessionId) {}

    /** Only while {@link #free} is above 0, else VerbsException (ENOMEM). */
    public synchronized Slot take() {
        int index = indices.take();
        int generation = indices.laps() & (1 << SESSION_BITS - indexBits) - 1;
        return new Slot(index, generation << indexBits | index);
    }

    public synchronized void free(Slot slot) {
        indices.free(slot.index);
    }

    /** How many nobody has. */
    public synchronized int free() {
        return size - indices.inUse();
    }
}
