// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** A policy at work in one pool. Pure but for what it remembers. */
interface Chooser {
    /**
     * A lane for a recipient that has nothing outstanding; empty, or one that has no room: it waits, as no other recipient would
     * find one either, unless this {@link #sticks}.
     *
     * @param lanes those that are not lost
     */
    Optional<PoolLane> choose(Recipient to, List<PoolLane> lanes);

    /** Whether a recipient waits for the lane that was chosen for it, while others may have room. */
    default boolean sticks() {
        return false;
    }

    /**
     * Whether a recipient that has requests outstanding on a lane may have another one there at once; else it waits until all of
     * them are answered, and chooses anew.
     *
     * @param sent there since it chose the lane
     * @param othersWait for a lane
     */
    default boolean goesOn(PoolLane lane, int sent, BooleanSupplier othersWait) {
        return true;
    }

    static Chooser of(DciPolicy policy) {
        return switch (policy) {
            case DciPolicy.Hashed() -> new LeastRecent();
            case DciPolicy.Exclusive() -> new OneEach(Integer.MAX_VALUE);
            case DciPolicy.Quota(int requests) -> new OneEach(requests);
            case DciPolicy.Hybrid(int requests, var streams) -> new Overflowing(new OneEach(requests));
            case DciPolicy.Random(long seed) -> {
                SplittableRandom draws = new SplittableRandom(seed);
                yield new Remembering(draws::nextInt);
            }
            case DciPolicy.Streams(var streams) -> Remembering.inTurn();
        };
    }
}
