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

/** What regions can be of. */
enum SpecialRegionKind {
    ALLOCATED(profile -> profile.memory().has(Feature.ALLOCATION), AllocatedRegion::new),
    SHARED(profile -> profile.memory().has(Feature.SHARED_REGIONS), SharedRegion::new),
    PHYSICAL(profile -> profile.memory().has(Feature.PHYSICAL_ADDRESSES), PhysicalMr::new),
    PEER(profile -> profile.memory().has(Feature.PEER_MEMORY), PeerRegion::new),
    NULL(profile -> profile.memory().has(Feature.NULL_REGION), NullMr::new),
    /** As any other: an adapter that has none of those may talk to one that has. */
    PLAIN(profile -> true, PlainRegion::new),
    /** Its pages come when they are used, and are evicted behind them. */
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

    /** Paged, if the adapter can; now and then it is not, so that only one end is. */
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

    /** VerbsException where a disaster struck. */
    SpecialRegion open(SpecialRegionSlot place) {
        return opened.apply(place);
    }
}
