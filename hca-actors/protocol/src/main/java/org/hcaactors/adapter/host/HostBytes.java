// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import org.hcaactors.adapter.atomic.Atomic;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.fabric.packet.Octets;

/** Bytes of a process, as an adapter reaches them: by their addresses. */
public interface HostBytes {
    /** The adapter's DMA read: copies out of the range, which the caller's lease covers. */
    void load(long from, byte[] target, int targetOffset, int count);

    /** The adapter's DMA write: copies into the range, which the caller's lease covers. */
    void store(long to, Octets source, int sourceOffset, int count);

    /**
     * Changes the value there; returns it as it was. The address is a multiple of the value's size (rule memory-atomic).
     *
     * @param unit of the adapter that does so
     */
    AtomicValue update(long at, Atomic atomic, AtomicUnit unit);
}
