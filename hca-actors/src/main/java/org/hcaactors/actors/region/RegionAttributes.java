// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.region;

import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.adapter.region.NullBacking;
import org.hcaactors.adapter.region.Region;
import org.hcaactors.adapter.region.RegionBacking;
import org.hcaactors.adapter.region.TunneledRegion;
import org.hcaactors.api.capability.MemoryCapabilities.Feature;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.memory.Reregistration.Change;
import org.hcaactors.fabric.flow.Element;

/**
 * Attributes of a region.
 *
 * @param domain number of its protection domain
 * @param tunnels WRITEs to it carry atomic commands
 */
record RegionAttributes(int domain, RegionBacking backing, AccessFlags rights, boolean tunnels) {
    /**
     * Creates the attributes; the memory is pinned from here on.
     *
     * @throws VerbsException if the registration is not possible
     */
    static RegionAttributes of(Registration requested, int domain, RegionOwner owner) {
        AccessFlags rights = consistent(requested.access());
        return new RegionAttributes(
                domain, RegionBackings.of(requested, rights, owner), rights, requested.tunneledAtomics());
    }

    /** Creates the attributes of a region shared by another process; the memory is mapped from here on. */
    static RegionAttributes shared(int number, AccessFlags requested, int domain, RegionOwner owner) {
        AccessFlags rights = consistent(requested);
        return new RegionAttributes(domain, RegionBackings.shared(number, rights, owner), rights, false);
    }

    // rule memory-null
    static RegionAttributes ofNullRegion(int domain, RegionOwner owner) {
        RegionBackings.require(Feature.NULL_REGION, owner.profile());
        return new RegionAttributes(domain, NullBacking.NOTHING, AccessFlags.of(Access.LOCAL_WRITE), false);
    }

    // rule memory-rights
    private static AccessFlags consistent(AccessFlags rights) {
        if (!rights.isConsistentForRegistration()) {
            throw VerbsException.invalid(rights + ": REMOTE_WRITE and REMOTE_ATOMIC require LOCAL_WRITE");
        }
        return rights;
    }

    // rule memory-reregister
    /**
     * Returns the attributes after a reregistration; new memory is pinned from here on.
     *
     * @throws VerbsException if the reregistration is not possible
     */
    RegionAttributes after(Reregistration requested, RegionOwner owner) {
        if (requested.changes().isEmpty()) {
            throw VerbsException.invalid(
                    "the re-registration changes nothing; it can change translation, domain and access");
        }
        RegionBackings.require(Feature.REREGISTRATION, owner.profile());
        backing.lasting().ifPresent(reason -> {
            throw new VerbsException(Errno.EOPNOTSUPP, "the region can't be re-registered: " + reason);
        });
        AccessFlags nextRights = requested.changes(Change.ACCESS) ? consistent(requested.access()) : rights;
        int nextDomain = requested.changes(Change.DOMAIN)
                ? owner.numberOf(requested.domain().orElseThrow(() -> missing("protection domain")))
                : domain;
        boolean nextTunnels =
                requested.translation().map(Registration::tunneledAtomics).orElse(tunnels);
        return new RegionAttributes(nextDomain, next(requested, nextRights, owner), nextRights, nextTunnels);
    }

    private RegionBacking next(Reregistration requested, AccessFlags nextRights, RegionOwner owner) {
        if (requested.changes(Change.TRANSLATION)) {
            RegionBackings.require(Feature.REREGISTRATION_OF_TRANSLATION, owner.profile());
            Registration place = requested.translation().orElseThrow(() -> missing("translation"));
            if (place.lengthBytes() == 0) {
                throw VerbsException.invalid(
                        "the region can't be re-registered with " + place.source() + "; at least 1 byte is required");
            }
            return RegionBackings.again(place, nextRights, owner);
        }
        backing.check(nextRights);
        return backing;
    }

    private static VerbsException missing(String what) {
        return VerbsException.invalid("the re-registration changes the " + what + ", but no new " + what + " is given");
    }

    /** Records the allocated pages, if the registration allocated memory. */
    void announcePages(int key, Services services) {
        AdapterTrace trace = services.trace();
        if (backing.isAllocated() && trace.enabled()) {
            trace.record(
                    0,
                    at -> new HcaEvent.PagesAllocated(at, services.adapter(), Element.key(key), backing.translation()));
        }
    }

    TranslatedKey translatedKey(int key) {
        TranslatedKey plain = backing.translatedKey(key, domain, rights);
        return tunnels && plain instanceof Region region ? new TunneledRegion(region) : plain;
    }
}
