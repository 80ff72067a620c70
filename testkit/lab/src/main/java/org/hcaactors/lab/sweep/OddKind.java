// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.sweep;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.hcaactors.api.capability.MemoryCapabilities.Feature;
import org.hcaactors.api.device.Profile;

/** What regions can be of. */
enum OddKind {
    ALLOCATED(Optional.of(Feature.ALLOCATION), AllocatedRegion::new),
    SHARED(Optional.of(Feature.SHARED_REGIONS), SharedRegion::new),
    PHYSICAL(Optional.of(Feature.PHYSICAL_ADDRESSES), PhysicalRegion::new),
    PEER(Optional.of(Feature.PEER_MEMORY), PeerRegion::new),
    NULL(Optional.of(Feature.NULL_REGION), NullRegion::new),
    /** As any other: an adapter that has none of those may talk to one that has. */
    PLAIN(Optional.empty(), PlainRegion::new);

    private final Optional<Feature> needed;
    private final Function<OddPlace, OddRegion> opened;

    OddKind(Optional<Feature> needed, Function<OddPlace, OddRegion> opened) {
        this.needed = needed;
        this.opened = opened;
    }

    static OddKind any(Profile profile, SplittableRandom lots) {
        List<OddKind> those = Arrays.stream(values())
                .filter(kind -> kind.needed.filter(profile.memory()::has).isPresent())
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
