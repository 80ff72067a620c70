// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.sweep;

import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.World;

/** {@link MixedTraffic} of which only one strand is there: what hunts bugs of that strand's subject in seconds. */
public enum OneStrand {
    DYNAMIC(StrandKind.DYNAMIC),
    TAGGED(StrandKind.TAGGED),
    LEFT_DATA(StrandKind.LEFT_DATA);

    private final StrandKind kind;

    OneStrand(StrandKind kind) {
        this.kind = kind;
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
            Result result = MixedTraffic.run(world, kind);
            world.network().close(); // what it throws is of the seed
            return result;
        }
    }
}
