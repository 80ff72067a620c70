package org.hcaactors.lab.world;

import java.util.List;
import org.hcaactors.fabric.link.FabricLimits;
import org.hcaactors.lab.invariant.Invariant;

/**
 * How a world is made.
 *
 * @param seed of every lot that is drawn in it
 * @param schedule in which order ready tasks run
 * @param limits of the fabric
 * @param watched the invariants are checked; only a measurement turns that off
 * @param invariants checkers of the user's, besides the standard ones
 */
public record WorldOptions(
        long seed, Schedule schedule, FabricLimits limits, boolean watched, List<? extends Invariant> invariants) {
    public WorldOptions {
        invariants = List.copyOf(invariants);
    }

    /** Ready tasks run in an order that the seed draws. */
    public static WorldOptions of(long seed) {
        return new WorldOptions(seed, Schedule.random(seed), FabricLimits.DEFAULT, true, List.of());
    }

    public WorldOptions with(Schedule other) {
        return new WorldOptions(seed, other, limits, watched, invariants);
    }

    public WorldOptions with(FabricLimits other) {
        return new WorldOptions(seed, schedule, other, watched, invariants);
    }

    public WorldOptions with(Invariant... own) {
        return new WorldOptions(seed, schedule, limits, watched, List.of(own));
    }

    public WorldOptions unwatched() {
        return new WorldOptions(seed, schedule, limits, false, invariants);
    }
}
