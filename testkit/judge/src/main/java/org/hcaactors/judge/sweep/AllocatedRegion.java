// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.Optional;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.memory.Reregistration.Change;

/** Memory allocated by its registration. It is freed with the region, or by a reregistration that replaces it. */
final class AllocatedRegion extends SpecialRegion {
    private static final long ELSEWHERE = 0x6000_0000_0000L;

    private final MemoryRegion region;
    private final HostMemory memory;
    private boolean hasLeft;

    AllocatedRegion(SpecialRegionSlot place) {
        super(place);
        Registration made = Registration.allocated(BYTES);
        region = place.register(
                switch (place.random().nextInt(3)) {
                    case 0 -> made.withAddress(ELSEWHERE);
                    case 1 -> made.withZeroBased();
                    default -> made;
                });
        memory = region.memory();
        place.begins(SweepNode.PROCESS, memory);
    }

    @Override
    MemoryRegion region() {
        return region;
    }

    /** False after a reregistration: the new memory has other bytes. */
    @Override
    boolean isOfUse() {
        return !hasLeft;
    }

    @Override
    Optional<byte[]> gives(int offset, int bytes) {
        return bytes(memory, offset, bytes);
    }

    @Override
    boolean disturb() {
        if (place.random().nextBoolean()) {
            leaves();
        } else {
            end();
        }
        return true;
    }

    /**
     * Reregisters the region with newly allocated or existing memory. Requests in progress no longer find anything at the
     * addresses that they name.
     */
    private void leaves() {
        hasLeft = true;
        Registration other = place.random().nextBoolean()
                ? Registration.allocated(BYTES)
                : Registration.of(place.site().context.process().allocate(BYTES));
        unmaps(
                "re-registration with other memory",
                region.reregister(Reregistration.of(Change.TRANSLATION).withTranslation(other)),
                memory,
                Errno.EINVAL);
    }

    @Override
    void end() {
        unmaps("deregistration", deregistered(), memory);
    }
}
