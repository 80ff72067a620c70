// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import org.hcaactors.fabric.packet.Octets;

/** Bytes of a process, as an adapter reaches them: by their addresses. */
public interface HostBytes {
    /** The adapter's DMA read: copies out of the range, which the caller's lease covers. */
    void load(long from, byte[] target, int targetOffset, int count);

    /** The adapter's DMA write: copies into the range, which the caller's lease covers. */
    void store(long to, Octets source, int sourceOffset, int count);

    /**
     * Stores {@code swap} if the word is {@code compare}; returns the word before. The address is 8-aligned (rule
     * memory-atomic).
     */
    long compareAndSwap(long at, long compare, long swap);

    /** Adds modulo 2^64; returns the word before. The address is 8-aligned (rule memory-atomic). */
    long fetchAndAdd(long at, long add);
}
