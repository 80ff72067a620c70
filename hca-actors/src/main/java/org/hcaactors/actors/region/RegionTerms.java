// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.region;

import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.adapter.region.Backing;
import org.hcaactors.adapter.region.Nothing;
import org.hcaactors.adapter.region.Region;
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
 * What a region is registered as.
 *
 * @param domain number of its protection domain
 * @param tunnels WRITEs bring commands
 */
record RegionTerms(int domain, Backing backing, AccessFlags rights, boolean tunnels) {
    /** What it shows is held on to from here on. VerbsException for what can't be registered. */
    static RegionTerms of(Registration wanted, int domain, RegionOwner owner) {
        AccessFlags rights = consistent(wanted.rights());
        return new RegionTerms(domain, Backings.of(wanted, rights, owner), rights, wanted.tunnelsAtomics());
    }

    /** What another process shares is mapped from here on. */
    static RegionTerms shared(int number, AccessFlags wanted, int domain, RegionOwner owner) {
        AccessFlags rights = consistent(wanted);
        return new RegionTerms(domain, Backings.shared(number, rights, owner), rights, false);
    }

    // rule memory-null
    static RegionTerms nothing(int domain, RegionOwner owner) {
        Backings.require(Feature.NULL_REGION, owner.profile());
        return new RegionTerms(domain, Nothing.NOTHING, AccessFlags.of(Access.LOCAL_WRITE), false);
    }

    // rule memory-rights
    private static AccessFlags consistent(AccessFlags rights) {
        if (!rights.isConsistentForRegistration()) {
            throw VerbsException.invalid(rights + ": REMOTE_WRITE and REMOTE_ATOMIC require LOCAL_WRITE");
        }
        return rights;
    }

    // rule memory-reregister
    /** What it is after that; where it shows something else, that is held on to from here on. VerbsException for what can't be. */
    RegionTerms after(Reregistration wanted, RegionOwner owner) {
        if (wanted.changes().isEmpty()) {
            throw VerbsException.invalid(
                    "a re-registration that changes nothing; it may change translation, domain, access");
        }
        Backings.require(Feature.REREGISTRATION, owner.profile());
        backing.lasting().ifPresent(why -> {
            throw new VerbsException(Errno.EOPNOTSUPP, "a re-registration; " + why);
        });
        AccessFlags nextRights = wanted.changes(Change.ACCESS) ? consistent(wanted.rights()) : rights;
        int nextDomain = wanted.changes(Change.DOMAIN)
                ? owner.numberOf(wanted.domain().orElseThrow(() -> missing("protection domain")))
                : domain;
        boolean nextTunnels =
                wanted.translation().map(Registration::tunnelsAtomics).orElse(tunnels);
        return new RegionTerms(nextDomain, next(wanted, nextRights, owner), nextRights, nextTunnels);
    }

    private Backing next(Reregistration wanted, AccessFlags nextRights, RegionOwner owner) {
        if (wanted.changes(Change.TRANSLATION)) {
            Backings.require(Feature.REREGISTRATION_OF_TRANSLATION, owner.profile());
            Registration place = wanted.translation().orElseThrow(() -> missing("translation"));
            if (place.lengthBytes() == 0) {
                throw VerbsException.invalid(
                        "a re-registration with " + place.source() + "; 1 byte or more can be named");
            }
            return Backings.again(place, nextRights, owner);
        }
        backing.check(nextRights);
        return backing;
    }

    private static VerbsException missing(String what) {
        return VerbsException.invalid("a re-registration that changes the " + what + " and names none");
    }

    /** Where it allocated. */
    void announcePages(int key, Services services) {
        AdapterTrace trace = services.trace();
        if (backing.isAllocated() && trace.enabled()) {
            trace.record(
                    0, at -> new HcaEvent.PagesTaken(at, services.adapter(), Element.key(key), backing.translation()));
        }
    }

    TranslatedKey behind(int key) {
        TranslatedKey plain = backing.behind(key, domain, rights);
        return tunnels && plain instanceof Region region ? new TunneledRegion(region) : plain;
    }
}
