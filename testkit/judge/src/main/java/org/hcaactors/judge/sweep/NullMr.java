// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.Optional;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.memory.Reregistration.Change;

/** A null memory region at any address: it reads as zeros, discards writes, and allows no remote access. */
final class NullMr extends SpecialRegion {
    private final MemoryRegion region;
    private final long first;

    NullMr(SpecialRegionSlot place) {
        super(place);
        region = place.sweep().world().await(place.domain().allocateNullMr());
        // Also where there is memory.
        first = place.random().nextBoolean()
                ? place.site().memory.address()
                : place.random().nextLong(Long.MAX_VALUE - BYTES);
    }

    @Override
    MemoryRegion region() {
        return region;
    }

    @Override
    long first() {
        return first;
    }

    @Override
    boolean isForPeers() {
        return false;
    }

    @Override
    Optional<byte[]> gives(int offset, int bytes) {
        return Optional.of(new byte[bytes]);
    }

    @Override
    Optional<byte[]> keeps(int offset, int bytes) {
        return Optional.empty();
    }

    @Override
    RemoteAddress stray() {
        return new RemoteAddress(region.lkey(), place.site().memory.address());
    }

    @Override
    boolean disturb() {
        if (place.random().nextBoolean()) {
            // rule memory-reregister-fails
            Reregistration other = Reregistration.of(Change.ACCESS).withAccess(AccessFlags.LOCAL_AND_REMOTE);
            refused("re-registration", region.reregister(other), Errno.EOPNOTSUPP, Errno.EINVAL);
        } else {
            deregistered();
        }
        return true;
    }

    @Override
    void end() {
        deregistered();
    }
}
