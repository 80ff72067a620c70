// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.lease;

import org.hcaactors.adapter.atomic.Atomic;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.fabric.packet.Octets;
import org.jspecify.annotations.Nullable;

/**
 * What a key's translator grants to a queue pair: use of what the key covers until it asks for it back. An adapter caches
 * translations in the same way. Addresses are the key's own; the lease knows where its bytes are.
 *
 * <p>First it is asked, which changes nothing; then the bytes are moved in the same turn, which cannot fail.
 */
public interface Lease {
    /** What a lease says to a use. */
    sealed interface Answer permits Ready, Denied, Absent {}

    /** The bytes can be moved now. */
    enum Ready implements Answer {
        READY
    }

    /** They can't. */
    record Denied(Denial reason) implements Answer {}

    /**
     * They are allowed to be moved, and the host has to bring in pages first.
     *
     * @param there how many bytes of the use come before the first that is absent
     * @param from where that one is, as the pager has it
     * @param count from there on, what the use goes on to touch in that region
     */
    record Absent(long there, Pager pager, long from, long count, boolean writing) implements Answer {
        /** Of a use that began so many bytes earlier, with what is there. */
        public Absent behind(long bytes) {
            return new Absent(bytes + there, pager, from, count, writing);
        }
    }

    /** The translator behind a lease. Called from any thread; it only tells its actor. */
    @FunctionalInterface
    interface Origin {
        void released(long grant);
    }

    /** Unique among the grants of its adapter. */
    long grant();

    /** The key as it was asked for, variant included. */
    int key();

    /**
     * @param count where it is 0, no byte is used: the key alone counts
     * @param right needed, or null where reading locally, which is always allowed
     */
    Answer answer(KeyUser user, long from, long count, @Nullable Access right);

    /** Between two bytes that it lets a user at may lie one that it does not. */
    default boolean hasGaps() {
        return false;
    }

    /** What a WRITE brings there are commands for the host's memory controller (rule atomic-tunneled-region). */
    default boolean tunnels() {
        return false;
    }

    // rule rc-atomic-aligned
    /** Where what stands at an address of the key is, as far as a multiple of an atomic's size goes. */
    default long behind(long address) {
        return address;
    }

    /** The adapter's DMA read. */
    void load(long from, byte[] target, int targetOffset, int count);

    /** The adapter's DMA write. */
    void store(long to, Octets source, int sourceOffset, int count);

    /**
     * Changes the value there; returns it as it was (rule memory-atomic).
     *
     * @param unit of the adapter that does so
     */
    AtomicValue update(long at, Atomic atomic, AtomicUnit unit);

    /** It is used no more. */
    void release();
}
