// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import java.nio.ByteOrder;
import org.hcaactors.adapter.atomic.AtomicCell;
import org.hcaactors.fabric.packet.Loan;
import org.hcaactors.fabric.packet.Octets;

/** Bytes behind a mapped memory. An offset counts from the memory's first byte; the caller has checked it. Any thread. */
sealed interface Storage permits BufferStorage, ProgramStorage {
    void load(long offset, byte[] target, int targetOffset, int count);

    void store(long offset, Octets source, int sourceOffset, int count);

    /** Returns the value at that offset; its address is a multiple of the size, or of 8 if the size is larger. */
    AtomicCell cell(long offset, int sizeBytes);

    /** True if {@link #lend} can be used: the bytes are in one buffer. */
    boolean canLend();

    Loan lend(long offset, int count);

    /** Returns the first offset of a range whose byte is gone, although the memory is mapped; -1 for none. */
    long firstGone(long offset, long count);

    /** Returns the byte order of numbers in it. */
    ByteOrder order();
}
