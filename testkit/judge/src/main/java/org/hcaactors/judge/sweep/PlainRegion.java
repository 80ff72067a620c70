// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.Optional;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;

/** A region of ordinary process memory; nothing happens to it. */
final class PlainRegion extends SpecialRegion {
    private final HostMemory memory;
    private final MemoryRegion region;

    PlainRegion(SpecialRegionSlot place) {
        super(place);
        memory = place.site().context.process().allocate(BYTES);
        place.begins(SweepNode.PROCESS, memory);
        region = place.register(Registration.of(memory));
    }

    @Override
    MemoryRegion region() {
        return region;
    }

    @Override
    Optional<byte[]> gives(int offset, int bytes) {
        return bytes(memory, offset, bytes);
    }

    @Override
    boolean disturb() {
        return false;
    }

    @Override
    void end() {
        deregistered();
    }
}
