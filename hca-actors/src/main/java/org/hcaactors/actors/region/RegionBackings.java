// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.region;

import java.util.Optional;
import java.util.OptionalLong;
import org.hcaactors.adapter.host.MappedMemory;
import org.hcaactors.adapter.host.ModelledSpace;
import org.hcaactors.adapter.host.SharedMemory.Offer;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.adapter.page.BufferKind;
import org.hcaactors.adapter.region.Mapping;
import org.hcaactors.adapter.region.OnDemandChecks;
import org.hcaactors.adapter.region.PhysicalRange;
import org.hcaactors.adapter.region.RegionBacking;
import org.hcaactors.adapter.region.RegionSharing;
import org.hcaactors.adapter.region.TunnelChecks;
import org.hcaactors.api.capability.MemoryCapabilities.Feature;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.PeerMemory;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.Registration.Source;

/** Factory of the backings of regions. A backing holds its memory until it is released; a refused one holds nothing. */
final class RegionBackings {
    private RegionBackings() {}

    static RegionBacking of(Registration requested, AccessFlags rights, RegionOwner owner) {
        boolean allocates =
                requested.source() instanceof Source.Allocated || requested.source() instanceof Source.AllocatedAt;
        if (!allocates && !(requested.sharing().isEmpty() && requested.allowsRdma())) {
            throw VerbsException.invalid("sharing is refused for " + requested.source()
                    + "; only memory that the registration allocates can be shared");
        }
        if (requested.tunneledAtomics()) {
            TunnelChecks.check(requested, owner.profile());
        }
        if (requested.onDemandPaging()) {
            return OnDemand.of(requested, owner);
        }
        OnDemandChecks.checkPinned(requested);
        return switch (requested.source()) {
            case Source.Mapped mapped -> mapped(mapped, requested, owner);
            case Source.Addresses somewhere ->
                throw VerbsException.invalid(somewhere + " can be registered only on demand: add withOnDemandPaging()");
            case Source.Allocated allocated -> allocated(allocated, requested, owner);
            case Source.AllocatedAt allocated -> allocatedAt(allocated, requested, owner);
            case Source.Physical physical -> physical(physical, requested, rights, owner);
        };
    }

    /**
     * Creates a backing for a reregistration: who shares the memory, and whether the region has an RDMA key, is not considered.
     */
    static RegionBacking again(Registration place, AccessFlags rights, RegionOwner owner) {
        if (place.source() instanceof Source.Physical) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "the region can't be re-registered with " + place.source() + "; memory of the process is allowed");
        }
        return of(place.withSharing(), rights, owner);
    }

    private static RegionBacking mapped(Source.Mapped mapped, Registration requested, RegionOwner owner) {
        if (mapped.memory() instanceof PeerMemory) {
            require(Feature.PEER_MEMORY, owner.profile());
        }
        MappedMemory own = owner.space().require(mapped.memory());
        return Mapping.of(
                mapped.memory(),
                own,
                mapped.offset(),
                mapped.lengthBytes(),
                requested.address(),
                owner.profile(),
                owner.space().locked());
    }

    // rule memory-allocated
    private static RegionBacking allocated(Source.Allocated allocated, Registration requested, RegionOwner owner) {
        checkAllocates(allocated.lengthBytes(), requested, owner);
        ModelledSpace space = owner.space().allocating();
        AllocatedPages taken = owner.pages().take(BufferKind.REGION, allocated.lengthBytes());
        return whole(space.allocate(allocated.lengthBytes(), taken), requested, owner);
    }

    // rule pages-at
    private static RegionBacking allocatedAt(Source.AllocatedAt allocated, Registration requested, RegionOwner owner) {
        checkAllocates(allocated.lengthBytes(), requested, owner);
        ModelledSpace space = owner.space().allocating();
        AllocatedPages taken = owner.pages().takeContiguous(BufferKind.REGION, allocated.lengthBytes());
        return whole(space.allocateAt(allocated.address(), allocated.lengthBytes(), taken), requested, owner);
    }

    private static void checkAllocates(long lengthBytes, Registration requested, RegionOwner owner) {
        require(Feature.ALLOCATION, owner.profile());
        if (lengthBytes < 0) {
            throw VerbsException.invalid(lengthBytes + " bytes of memory can't be allocated; 0 or more can");
        }
        if (!requested.sharing().isEmpty()) {
            require(Feature.SHARED_REGIONS, owner.profile());
        }
    }

    private static RegionBacking whole(MappedMemory allocated, Registration requested, RegionOwner owner) {
        Optional<RegionSharing> sharing = requested.sharing().isEmpty()
                ? Optional.empty()
                : Optional.of(RegionSharing.byMaker(
                        owner.shared(), new Offer(allocated, owner.identity(), requested.sharing())));
        return Mapping.whole(
                allocated,
                requested.address(),
                owner.profile(),
                owner.space().locked(),
                sharing,
                requested.allowsRdma());
    }

    // rule memory-physical
    private static RegionBacking physical(
            Source.Physical physical, Registration requested, AccessFlags rights, RegionOwner owner) {
        require(Feature.PHYSICAL_ADDRESSES, owner.profile());
        if (!physical.equals(Source.Physical.WHOLE)) {
            require(Feature.PHYSICAL_RANGE, owner.profile());
        }
        if (!owner.identity().isRoot()) {
            throw new VerbsException(
                    Errno.EPERM,
                    physical + " can't be registered by " + owner.identity()
                            + "; only root can register physical addresses");
        }
        if (requested.address().isPresent()) {
            throw VerbsException.invalid("%s can't be registered at 0x%x; its key uses the physical addresses"
                    .formatted(physical, requested.address().getAsLong()));
        }
        if (physical.address() < 0 || physical.lengthBytes() < 0 || physical.address() + physical.lengthBytes() < 0) {
            throw VerbsException.invalid(physical + " can't be registered; the range must end below 2^63");
        }
        PhysicalRange range = new PhysicalRange(owner.physical(), physical.address(), physical.lengthBytes());
        range.check(rights);
        return range;
    }

    // rule memory-shared
    static RegionBacking shared(int number, AccessFlags rights, RegionOwner owner) {
        require(Feature.SHARED_REGIONS, owner.profile());
        Offer offer = owner.shared().find(number);
        RegionSharing sharing = RegionSharing.with(owner.identity(), owner.shared(), offer);
        sharing.check(rights);
        MappedMemory opened = owner.space().allocating().share(offer.memory());
        return Mapping.whole(
                opened, OptionalLong.empty(), owner.profile(), owner.space().locked(), Optional.of(sharing), true);
    }

    static void require(Feature feature, Profile profile) {
        if (!profile.memory().has(feature)) {
            throw new VerbsException(Errno.EOPNOTSUPP, profile.name() + " has no " + feature);
        }
    }
}
