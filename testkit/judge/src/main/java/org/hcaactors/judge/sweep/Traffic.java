// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.Optional;
import org.hcaactors.judge.walk.Walk;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.World;

/**
 * The programs that a sweep runs: each gets a fresh world, on which faults may be armed, and the seed determines what it does.
 */
public enum Traffic {
    /** {@link MixedTraffic}: every transport at once, by a program that follows the rules. */
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

    /** {@link Walk}: several processes call every verb at random, wait for nothing, and a model checks the results. */
    WALK {
        @Override
        public Result run(World world) {
            return RandomWalk.run(world);
        }
    };

    /**
     * Runs the program to its end under the faults armed in the world; then they stop, and all must come to rest.
     *
     * @throws AssertionError if an invariant is broken, bytes are wrong, or a completion is missing
     */
    public abstract Result run(World world);

    /** Returns the adapter whose completion queues wake threads. */
    Optional<String> sleeper() {
        return Optional.empty();
    }

    /** True if the program can handle such faults. */
    public boolean takes(Swarm swarm) {
        return true;
    }

    /** Returns the Java expression that runs the program, for a generated test. */
    public String call() {
        return "Traffic." + name() + ".run(world)";
    }
}
