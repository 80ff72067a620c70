// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.Optional;
import org.hcaactors.api.capability.MemoryCapabilities.Feature;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;

/**
 * The host's physical memory, registered by a process of root: the memory used belongs to another process, which may unmap it
 * at any time.
 */
final class PhysicalMr extends SpecialRegion {
    private final HostMemory memory;
    private final MemoryRegion region;
    private final boolean whole;

    PhysicalMr(SpecialRegionSlot place) {
        super(place);
        memory = place.site().context.process().allocate(BYTES);
        place.begins(SweepNode.PROCESS, memory);
        whole = place.random().nextBoolean()
                || !place.site().adapter.profile().memory().has(Feature.PHYSICAL_RANGE);
        Registration requested = whole ? Registration.physical() : Registration.physical(memory.busAddress(), BYTES);
        region = place.register(requested);
    }

    @Override
    MemoryRegion region() {
        return region;
    }

    @Override
    long first() {
        return memory.busAddress();
    }

    /** Returns an address where no memory is, or outside the registered range. */
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
    boolean disturb() {
        if (place.random().nextBoolean()) {
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
