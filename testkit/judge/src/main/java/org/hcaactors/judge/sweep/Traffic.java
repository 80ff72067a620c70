// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.Optional;
import org.hcaactors.judge.walk.Walk;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.World;

/** The programs that a sweep runs: each takes a fresh world, on which faults may be armed, and its seed says what it does. */
public enum Traffic {
    /** {@link MixedTraffic}: every transport at once, by a program that keeps the rules. */
    MIXED {
        @Override
        public Result run(World world) {
            return MixedTraffic.run(world);
        }

        @Override
        Optional<String> sleeper() {
            return Optional.of(SweepContext.NOTIFYING);
        }

        @Override
        public boolean takes(Swarm swarm) {
            return swarm != Swarm.RESOURCES;
        }
    },

    /** {@link Walk}: several processes call every verb at random, wait for nothing, and a model says what must come of it. */
    WALK {
        @Override
        public Result run(World world) {
            return RandomWalk.run(world);
        }
    };

    /**
     * Runs the program to its end, with the faults that are armed in the world; then they stop, and all must come to rest.
     *
     * @throws AssertionError if an invariant is broken, bytes are wrong, or a completion was never heard of
     */
    public abstract Result run(World world);

    /** The adapter whose completion queues wake threads. */
    Optional<String> sleeper() {
        return Optional.empty();
    }

    /** It knows what may come of such faults. */
    public boolean takes(Swarm swarm) {
        return true;
    }

    /** How the program is run, as Java: what a pasted test says. */
    public String call() {
        return "Traffic." + name() + ".run(world)";
    }
}
