// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.program;

import org.hcaactors.adapter.host.MappedMemory;
import org.hcaactors.api.memory.HostMemory;

/** Reads memory on behalf of the testkit; this does not count as an access by a program. */
public final class MemoryObserver {
    private MemoryObserver() {}

    public static byte[] read(HostMemory memory, long offset, int lengthBytes) {
        return memory instanceof MappedMemory buffers
                ? buffers.inspect(offset, lengthBytes)
                : memory.read(offset, lengthBytes);
    }
}
