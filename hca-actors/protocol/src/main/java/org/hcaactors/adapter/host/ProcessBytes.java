// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import org.hcaactors.fabric.packet.Octets;

// rule paging-unmapped-meanwhile
/**
 * All memory of a process, accessed without pins: if memory is unmapped between the check and the access, zeros are read and
 * written data is lost. Any thread.
 */
public sealed interface ProcessBytes extends HostBytes permits ModelledBytes, ProgramBytes {
    /** Returns the first address of a range without memory, -1 for none. */
    long firstUnmapped(long from, long count);

    /** Returns the first address of a range that the process may not write, -1 for none. */
    long firstUnwritable(long from, long count);

    /**
     * Reads as the process itself does, which makes the pages resident.
     *
     * @return false if not all of the range is mapped
     */
    boolean read(long from, byte[] target, int targetOffset, int count);

    /**
     * Writes as the process itself does, which makes the pages resident.
     *
     * @return false if not all of the range is mapped; some of it may be written then
     */
    boolean write(long to, Octets source, int sourceOffset, int count);
}
