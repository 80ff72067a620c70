// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.lease;

import org.hcaactors.adapter.atomic.Atomic;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.fabric.packet.Loan;
import org.hcaactors.fabric.packet.Octets;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair's right to use the memory of a key until the key's translator revokes it. An adapter caches translations in the
 * same way. Addresses are the key's own; the lease knows where its bytes are.
 *
 * <p>First call {@link #answer}, which changes nothing; then copy the bytes in the same turn, which can't fail.
 */
public interface Lease {
    /** Answer of a lease to an access. */
    sealed interface Answer permits Ready, Denied, Absent {}

    /** The bytes can be copied now. */
    enum Ready implements Answer {
        READY
    }

    /** The access is not permitted. */
    record Denied(Denial reason) implements Answer {}

    /**
     * The access is permitted, but the host must bring in pages first.
     *
     * @param presentBytes number of bytes before the first absent one
     * @param from address of the first absent byte, as the pager knows it
     * @param count number of bytes from there on that the access needs in that region
     */
    record Absent(long presentBytes, Pager pager, long from, long count, boolean writing) implements Answer {
        /** Returns the absence for an access that began this many bytes earlier, all of them present. */
        public Absent precededBy(long bytes) {
            return new Absent(bytes + presentBytes, pager, from, count, writing);
        }
    }

    /** The translator behind a lease. Called from any thread; it only sends a message to its actor. */
    @FunctionalInterface
    interface Origin {
        void released(long grant);
    }

    /** Number of the grant, unique within the adapter. */
    long grant();

    /** The key as requested, variant included. */
    int key();

    /**
     * Checks an access.
     *
     * @param count if 0, no byte is used, and only the key is checked
     * @param right required right, or null for local reads, which are always permitted
     */
    Answer answer(KeyUser user, long from, long count, @Nullable Access right);

    /** True if bytes between two permitted bytes may be forbidden. */
    default boolean hasGaps() {
        return false;
    }

    /** True if data written there are commands for the host's memory controller (rule atomic-tunneled-region). */
    default boolean tunnels() {
        return false;
    }

    // rule rc-atomic-aligned
    /** Returns the address behind an address of the key, for the alignment check of an atomic. */
    default long underlyingAddress(long address) {
        return address;
    }

    /** Reads memory by DMA. */
    void load(long from, byte[] target, int targetOffset, int count);

    /** True if {@link #lend} can be used instead of {@link #load}. */
    default boolean canLend() {
        return false;
    }

    /** Lends memory to payloads, if {@link #canLend}; the lease must be held until the loan is settled. */
    default Loan lend(long from, int count) {
        throw new IllegalStateException("memory of key 0x%08x can't be lent".formatted(key()));
    }

    /** Writes memory by DMA. */
    void store(long to, Octets source, int sourceOffset, int count);

    /**
     * Changes the value there and returns the value before (rule memory-atomic).
     *
     * @param unit the adapter's unit for atomics
     */
    AtomicValue update(long at, Atomic atomic, AtomicUnit unit);

    /** Releases the lease. */
    void release();
}
