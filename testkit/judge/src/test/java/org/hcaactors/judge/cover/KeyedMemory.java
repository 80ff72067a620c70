// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.cover;

import java.util.Optional;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.RemoteAddress;

/**
 * Memory of some kind, under its key.
 *
 * @param memory the memory as the host sees it; empty if there is none
 * @param region region for binding windows and filling keys, if there is one
 * @param first first address under the key
 * @param swap block size if each two adjacent blocks are mapped in exchanged order; 0 if in order
 */
record KeyedMemory(Optional<HostMemory> memory, Optional<MemoryRegion> region, int key, long first, int swap) {
    static final int BYTES = 1 << 17;

    static KeyedMemory of(HostMemory memory, MemoryRegion region, long first) {
        return new KeyedMemory(Optional.of(memory), Optional.of(region), region.lkey(), first, 0);
    }

    LocalSlice slice(int offset, int lengthBytes) {
        return new LocalSlice(key, first + offset, lengthBytes);
    }

    RemoteAddress remote(int offset) {
        return new RemoteAddress(key, first + offset);
    }

    void write(int offset, byte[] bytes) {
        if (swap == 0) {
            memory.ifPresent(there -> there.write(offset, bytes));
            return;
        }
        for (int i = 0; i < bytes.length; i++) {
            byte[] one = {bytes[i]};
            int at = (offset + i) ^ swap;
            memory.ifPresent(there -> there.write(at, one));
        }
    }

    /** Returns the contents as the key shows them; empty if none are kept. */
    Optional<byte[]> read(int offset, int count) {
        return memory.map(there -> {
            if (swap == 0) {
                return there.read(offset, count);
            }
            byte[] all = there.read(0, BYTES);
            byte[] bytes = new byte[count];
            for (int i = 0; i < count; i++) {
                bytes[i] = all[(offset + i) ^ swap];
            }
            return bytes;
        });
    }
}
