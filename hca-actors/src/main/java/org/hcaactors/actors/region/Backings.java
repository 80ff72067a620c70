// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.region;

import java.util.Optional;
import java.util.OptionalLong;
import org.hcaactors.adapter.host.HostBuffers;
import org.hcaactors.adapter.host.SharedMemory.Offer;
import org.hcaactors.adapter.page.Buffer;
import org.hcaactors.adapter.page.Pages;
import org.hcaactors.adapter.region.Backing;
import org.hcaactors.adapter.region.Mapping;
import org.hcaactors.adapter.region.OnDemandTerms;
import org.hcaactors.adapter.region.PhysicalRange;
import org.hcaactors.adapter.region.Sharing;
import org.hcaactors.adapter.region.TunnelTerms;
import org.hcaactors.api.capability.MemoryCapabilities.Feature;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.PeerMemory;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.Registration.Source;

/** What regions can be of. What is found here is held on to, until it is released; where it is refused, nothing is. */
final class Backings {
    private Backings() {}

    static Backing of(Registration wanted, AccessFlags rights, RegionOwner owner) {
        boolean fresh = wanted.source() instanceof Source.Allocated || wanted.source() instanceof Source.AllocatedAt;
        if (!fresh && !(wanted.sharing().isEmpty() && wanted.allowsRdma())) {
            throw VerbsException.invalid(
                    "sharing " + wanted.source() + "; only what the registration allocates can be shared");
        }
        if (wanted.tunnelsAtomics()) {
            TunnelTerms.check(wanted, owner.profile());
        }
        if (wanted.isOnDemand()) {
            return OnDemand.of(wanted, owner);
        }
        OnDemandTerms.checkPinned(wanted);
        return switch (wanted.source()) {
            case Source.Mapped mapped -> mapped(mapped, wanted, owner);
            case Source.Addresses somewhere ->
                throw VerbsException.invalid(somewhere + "; addresses are registered on demand: add onDemand()");
            case Source.Allocated allocated -> allocated(allocated, wanted, owner);
            case Source.AllocatedAt there -> allocatedAt(there, wanted, owner);
            case Source.Physical physical -> physical(physical, wanted, rights, owner);
        };
    }

    /** For a region that was something else: what it is shared with does not count, nor whether its key was of use. */
    static Backing again(Registration place, AccessFlags rights, RegionOwner owner) {
        if (place.source() instanceof Source.Physical) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "a re-registration with " + place.source() + "; memory of the process can be named");
        }
        return of(place.sharedWith(), rights, owner);
    }

    private static Backing mapped(Source.Mapped mapped, Registration wanted, RegionOwner owner) {
        if (mapped.memory() instanceof PeerMemory) {
            require(Feature.PEER_MEMORY, owner.profile());
        }
        HostBuffers own = owner.space().own(mapped.memory());
        return Mapping.of(
                mapped.memory(),
                own,
                mapped.offset(),
                mapped.lengthBytes(),
                wanted.address(),
                owner.profile(),
                owner.space().locked());
    }

    // rule memory-allocated
    private static Backing allocated(Source.Allocated allocated, Registration wanted, RegionOwner owner) {
        checkAllocates(allocated.lengthBytes(), wanted, owner);
        Pages taken = owner.pages().take(Buffer.REGION, allocated.lengthBytes());
        return whole(owner.space().allocate(allocated.lengthBytes(), taken), wanted, owner);
    }

    // rule pages-at
    private static Backing allocatedAt(Source.AllocatedAt there, Registration wanted, RegionOwner owner) {
        checkAllocates(there.lengthBytes(), wanted, owner);
        Pages taken = owner.pages().takeContiguous(Buffer.REGION, there.lengthBytes());
        return whole(owner.space().allocateAt(there.address(), there.lengthBytes(), taken), wanted, owner);
    }

    private static void checkAllocates(long lengthBytes, Registration wanted, RegionOwner owner) {
        require(Feature.ALLOCATION, owner.profile());
        if (lengthBytes < 0) {
            throw VerbsException.invalid(lengthBytes + " bytes of memory; 0 and more can be allocated");
        }
        if (!wanted.sharing().isEmpty()) {
            require(Feature.SHARED_REGIONS, owner.profile());
        }
    }

    private static Backing whole(HostBuffers fresh, Registration wanted, RegionOwner owner) {
        Optional<Sharing> sharing = wanted.sharing().isEmpty()
                ? Optional.empty()
                : Optional.of(Sharing.byMaker(owner.shared(), new Offer(fresh, owner.identity(), wanted.sharing())));
        return Mapping.whole(
                fresh, wanted.address(), owner.profile(), owner.space().locked(), sharing, wanted.allowsRdma());
    }

    // rule memory-physical
    private static Backing physical(
            Source.Physical physical, Registration wanted, AccessFlags rights, RegionOwner owner) {
        require(Feature.PHYSICAL_ADDRESSES, owner.profile());
        if (!physical.equals(Source.Physical.WHOLE)) {
            require(Feature.PHYSICAL_RANGE, owner.profile());
        }
        if (!owner.identity().isRoot()) {
            throw new VerbsException(
                    Errno.EPERM, physical + " for " + owner.identity() + "; only root registers physical addresses");
        }
        if (wanted.address().isPresent()) {
            throw VerbsException.invalid("%s under its key at 0x%x; physical addresses stay what they are"
                    .formatted(physical, wanted.address().getAsLong()));
        }
        if (physical.address() < 0 || physical.lengthBytes() < 0 || physical.address() + physical.lengthBytes() < 0) {
            throw VerbsException.invalid(physical + "; it ends below 2^63");
        }
        PhysicalRange range = new PhysicalRange(owner.physical(), physical.address(), physical.lengthBytes());
        range.check(rights);
        return range;
    }

    // rule memory-shared
    static Backing shared(int number, AccessFlags rights, RegionOwner owner) {
        require(Feature.SHARED_REGIONS, owner.profile());
        Offer offer = owner.shared().find(number);
        Sharing sharing = Sharing.with(owner.identity(), owner.shared(), offer);
        sharing.check(rights);
        HostBuffers here = owner.space().share(offer.memory());
        return Mapping.whole(
                here, OptionalLong.empty(), owner.profile(), owner.space().locked(), Optional.of(sharing), true);
    }

    static void require(Feature feature, Profile profile) {
        if (!profile.memory().has(feature)) {
            throw new VerbsException(Errno.EOPNOTSUPP, profile.name() + " has no " + feature);
        }
    }
}
