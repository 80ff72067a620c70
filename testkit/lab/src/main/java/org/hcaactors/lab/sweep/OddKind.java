// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.sweep;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Predicate;
import org.hcaactors.api.capability.MemoryCapabilities.Feature;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.device.Profile;

/** What regions can be of. */
enum OddKind {
    ALLOCATED(has(Feature.ALLOCATION), AllocatedRegion::new),
    SHARED(has(Feature.SHARED_REGIONS), SharedRegion::new),
    PHYSICAL(has(Feature.PHYSICAL_ADDRESSES), PhysicalRegion::new),
    PEER(has(Feature.PEER_MEMORY), PeerRegion::new),
    DEMAND(profile -> profile.paging().has(PagingCapabilities.Feature.IMPLICIT), DemandRegion::new),
    NULL(has(Feature.NULL_REGION), NullRegion::new),
    /** As any other: an adapter that has none of those may talk to one that has. */
    PLAIN(profile -> false, PlainRegion::new);

    private final Predicate<Profile> isHad;
    private final Function<OddPlace, OddRegion> opened;

    OddKind(Predicate<Profile> isHad, Function<OddPlace, OddRegion> opened) {
        this.isHad = isHad;
        this.opened = opened;
    }

    private static Predicate<Profile> has(Feature feature) {
        return profile -> profile.memory().has(feature);
    }

    static OddKind any(Profile profile, SplittableRandom lots) {
        List<OddKind> those = Arrays.stream(values())
                .filter(kind -> kind.isHad.test(profile))
                .toList();
        return those.isEmpty() ? PLAIN : those.get(lots.nextInt(those.size()));
    }

    boolean isRoots() {
        return this == PHYSICAL;
    }

    /** VerbsException where a disaster struck. */
    OddRegion open(OddPlace place) {
        return opened.apply(place);
    }
}
