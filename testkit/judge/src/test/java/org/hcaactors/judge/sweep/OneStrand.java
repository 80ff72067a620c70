// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.function.Function;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.World;

/** {@link MixedTraffic} of which only one strand is there, what hunts bugs of that strand's subject in seconds; or one is not. */
public enum OneStrand {
    DYNAMIC(world -> MixedTraffic.run(world, StrandKind.DYNAMIC)),
    TAGGED(world -> MixedTraffic.run(world, StrandKind.TAGGED)),
    LEFT_DATA(world -> MixedTraffic.run(world, StrandKind.LEFT_DATA)),
    LEFT_DATA_WHERE_SOURCES_GO(world -> MixedTraffic.run(world, StrandKind.LEFT_DATA_WHERE_SOURCES_GO)),
    GOING_SOURCES(world -> MixedTraffic.run(world, StrandKind.GOING_SOURCES)),
    /** What seeds were before messages had tags: for a bug that is rare, and was found by one of them. */
    ALL_BUT_TAGGED(world -> MixedTraffic.runWithout(world, StrandKind.TAGGED));

    private final Function<World, Result> traffic;

    OneStrand(Function<World, Result> traffic) {
        this.traffic = traffic;
    }

    /**
     * To the end of its world.
     *
     * @throws AssertionError as {@link MixedTraffic#run}
     */
    public Result run(Swarm swarm, long seed) {
        Sweep sweep = Sweep.of(1).from(seed).with(swarm);
        World world = sweep.world(seed);
        try (world) {
            world.faults().arm(sweep.plan(seed));
            Result result = traffic.apply(world);
            world.network().close(); // what it throws is of the seed
            return result;
        }
    }
}
