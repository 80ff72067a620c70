// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.Optional;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.PeerMemory;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.memory.Reregistration.Change;

/** A region of a peer device's memory, which its driver revokes under traffic. */
final class PeerRegion extends SpecialRegion {
    private final PeerMemory memory;
    private final MemoryRegion region;

    PeerRegion(SpecialRegionSlot place) {
        super(place);
        memory = place.site().context.process().allocatePeer(BYTES);
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
        switch (place.random().nextInt(4)) {
            case 0 -> deregistered();
            case 1 -> {
                // rule memory-reregister-fails
                Reregistration other = Reregistration.of(Change.ACCESS).withAccess(AccessFlags.LOCAL_AND_REMOTE);
                refused("re-registration", region.reregister(other), Errno.EOPNOTSUPP, Errno.EINVAL);
            }
            default -> unmaps("invalidation", memory.invalidate(), memory);
        }
        return true;
    }

    @Override
    void end() {
        unmaps(
                "unmapping",
                deregistered().handle((done, refused) -> done).thenCompose(done -> memory.closeAsync()),
                memory);
    }
}
