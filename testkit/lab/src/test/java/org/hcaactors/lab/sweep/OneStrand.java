// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.sweep;

import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.World;

/** {@link MixedTraffic} of which only one strand is there: what hunts bugs of that strand's subject in seconds. */
public final class OneStrand {
    private OneStrand() {}

    /**
     * DC alone, to the end of its world.
     *
     * @throws AssertionError as {@link MixedTraffic#run}
     */
    public static Result dynamic(Swarm swarm, long seed) {
        return of(StrandKind.DYNAMIC, swarm, seed);
    }

    /** The same of messages with tags. */
    public static Result tagged(Swarm swarm, long seed) {
        return of(StrandKind.TAGGED, swarm, seed);
    }

    private static Result of(StrandKind alone, Swarm swarm, long seed) {
        Sweep sweep = Sweep.of(1).from(seed).with(swarm);
        World world = sweep.world(seed);
        try (world) {
            world.faults().arm(sweep.plan(seed));
            Result result = MixedTraffic.run(world, alone);
            world.network().close(); // what it throws is of the seed
            return result;
        }
    }
}
