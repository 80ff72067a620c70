// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** Selector of the lanes of one pool by a policy. Pure except for its own memory. */
interface LaneSelector {
    /**
     * Returns a lane for a target that has nothing outstanding. Empty, or a lane without a free slot: the target waits, and so
     * would any other target, unless this selector {@link #isSticky}.
     *
     * @param lanes the lanes that are not lost
     */
    Optional<PoolLane> choose(DcTargetKey to, List<PoolLane> lanes);

    /** True if a target waits for its chosen lane even if other lanes have free slots. */
    default boolean isSticky() {
        return false;
    }

    /**
     * True if a target with outstanding requests on a lane may post another one there at once; otherwise it waits until all are
     * answered, and chooses again.
     *
     * @param sent number of requests sent since it chose the lane
     * @param othersWait whether others wait for a lane
     */
    default boolean keepsLane(PoolLane lane, int sent, BooleanSupplier othersWait) {
        return true;
    }

    static LaneSelector of(DciPolicy policy) {
        return switch (policy) {
            case DciPolicy.Hashed() -> new LeastRecentlyUsed();
            case DciPolicy.Exclusive() -> new ExclusiveLanes(Integer.MAX_VALUE);
            case DciPolicy.Quota(int requests) -> new ExclusiveLanes(requests);
            case DciPolicy.Hybrid(int requests, var streams) -> new HybridLanes(new ExclusiveLanes(requests));
            case DciPolicy.Random(long seed) -> {
                SplittableRandom draws = new SplittableRandom(seed);
                yield new StickyRandomLanes(draws::nextInt);
            }
            case DciPolicy.Streams(var streams) -> StickyRandomLanes.inTurn();
        };
    }
}
