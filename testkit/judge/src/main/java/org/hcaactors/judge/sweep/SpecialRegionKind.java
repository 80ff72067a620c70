// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Predicate;
import org.hcaactors.api.capability.MemoryCapabilities.Feature;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.device.Profile;

/** Kinds of memory that a region may cover. */
enum SpecialRegionKind {
    ALLOCATED(profile -> profile.memory().has(Feature.ALLOCATION), AllocatedRegion::new),
    SHARED(profile -> profile.memory().has(Feature.SHARED_REGIONS), SharedRegion::new),
    PHYSICAL(profile -> profile.memory().has(Feature.PHYSICAL_ADDRESSES), PhysicalMr::new),
    PEER(profile -> profile.memory().has(Feature.PEER_MEMORY), PeerRegion::new),
    NULL(profile -> profile.memory().has(Feature.NULL_REGION), NullMr::new),
    /** An ordinary region, so that an adapter without the other kinds may talk to one that has them. */
    PLAIN(profile -> true, PlainRegion::new),
    /** Region on demand, whose pages are evicted after use. */
    ON_DEMAND(
            profile -> profile.paging().has(PagingCapabilities.Feature.EXPLICIT),
            place -> new DemandRegion(place, false)),
    /** The same within a region of the whole address space. */
    IMPLICIT(
            profile -> profile.paging().has(PagingCapabilities.Feature.IMPLICIT),
            place -> new DemandRegion(place, true));

    private final Predicate<Profile> needed;
    private final Function<SpecialRegionSlot, SpecialRegion> opened;

    SpecialRegionKind(Predicate<Profile> needed, Function<SpecialRegionSlot, SpecialRegion> opened) {
        this.needed = needed;
        this.opened = opened;
    }

    static SpecialRegionKind any(Profile profile, SplittableRandom random) {
        List<SpecialRegionKind> those = Arrays.stream(values())
                .filter(kind -> kind != PLAIN && !kind.isPaged() && kind.needed.test(profile))
                .toList();
        return those.isEmpty() ? PLAIN : those.get(random.nextInt(those.size()));
    }

    /** Returns a kind on demand if the adapter has one; occasionally an ordinary one, so that only one end is on demand. */
    static SpecialRegionKind paged(Profile profile, SplittableRandom random) {
        List<SpecialRegionKind> those = Arrays.stream(values())
                .filter(kind -> kind.isPaged() && kind.needed.test(profile))
                .toList();
        return those.isEmpty() || random.nextInt(8) == 0 ? PLAIN : those.get(random.nextInt(those.size()));
    }

    boolean isPaged() {
        return this == ON_DEMAND || this == IMPLICIT;
    }

    boolean isRoots() {
        return this == PHYSICAL;
    }

    /** Opens a region of this kind; throws VerbsException if a disaster prevents it. */
    SpecialRegion open(SpecialRegionSlot place) {
        return opened.apply(place);
    }
}
