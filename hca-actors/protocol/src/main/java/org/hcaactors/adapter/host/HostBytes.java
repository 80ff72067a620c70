// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import org.hcaactors.adapter.atomic.Atomic;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.fabric.packet.Loan;
import org.hcaactors.fabric.packet.Octets;

/** Bytes of a process as an adapter accesses them, by address. */
public interface HostBytes {
    /** Reads by DMA from a range that the caller's lease covers. */
    void load(long from, byte[] target, int targetOffset, int count);

    /** True if {@link #lend} can be used: the bytes are in one piece. */
    default boolean canLend() {
        return false;
    }

    /** Lends a range that the caller's lease covers, if {@link #canLend}. */
    default Loan lend(long from, int count) {
        throw new IllegalStateException("the memory can't be lent");
    }

    /** Writes by DMA to a range that the caller's lease covers. */
    void store(long to, Octets source, int sourceOffset, int count);

    /**
     * Changes the value there and returns the value before. The address is a multiple of the value's size (rule memory-atomic).
     *
     * @param unit the adapter's unit for atomics
     */
    AtomicValue update(long at, Atomic atomic, AtomicUnit unit);
}
