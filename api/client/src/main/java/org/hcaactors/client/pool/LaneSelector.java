// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** A policy at work in one pool. Pure but for what it remembers. */
interface LaneSelector {
    /**
     * A lane for a recipient that has nothing outstanding; empty, or one that has no room: it waits, as no other recipient would
     * find one either, unless this {@link #isSticky}.
     *
     * @param lanes those that are not lost
     */
    Optional<PoolLane> choose(DcTargetKey to, List<PoolLane> lanes);

    /** Whether a recipient waits for the lane that was chosen for it, while others may have room. */
    default boolean isSticky() {
        return false;
    }

    /**
     * Whether a recipient that has requests outstanding on a lane may have another one there at once; else it waits until all of
     * them are answered, and chooses anew.
     *
     * @param sent there since it chose the lane
     * @param othersWait for a lane
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
