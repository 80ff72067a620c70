// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.Optional;
import org.hcaactors.api.capability.MemoryCapabilities.Feature;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;

/** The host's physical memory, as root's process reaches it: what is used is another process's, which may unmap it at any time. */
final class RegionAtBusAddresses extends OddRegion {
    private final HostMemory memory;
    private final MemoryRegion region;
    private final boolean whole;

    RegionAtBusAddresses(OddPlace place) {
        super(place);
        memory = place.site().context.process().allocate(BYTES);
        place.begins(Site.PROCESS, memory);
        whole = place.lots().nextBoolean()
                || !place.site().adapter.profile().memory().has(Feature.PHYSICAL_RANGE);
        Registration wanted = whole ? Registration.physical() : Registration.physical(memory.busAddress(), BYTES);
        region = place.register(wanted);
    }

    @Override
    MemoryRegion region() {
        return region;
    }

    @Override
    long first() {
        return memory.busAddress();
    }

    /** Where nothing is, or where a range that is registered does not reach. */
    @Override
    RemoteAddress stray() {
        return whole
                ? remote(BYTES)
                : new RemoteAddress(region.rkey(), place.site().memory.busAddress());
    }

    @Override
    Optional<byte[]> gives(int offset, int bytes) {
        return bytes(memory, offset, bytes);
    }

    @Override
    boolean mishap() {
        if (place.lots().nextBoolean()) {
            // rule memory-physical: nothing is pinned
            unmaps("unmapping", memory.closeAsync(), memory);
        } else {
            deregistered();
        }
        return true;
    }

    @Override
    void end() {
        deregistered();
        unmaps("unmapping", memory.closeAsync(), memory);
    }
}
