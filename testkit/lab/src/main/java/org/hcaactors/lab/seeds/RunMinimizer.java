// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import java.util.Optional;
import java.util.function.Function;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.shrink.Language;
import org.hcaactors.lab.shrink.Shrinker;
import org.hcaactors.lab.shrink.Shrunk;
import org.hcaactors.lab.world.Pace;
import org.hcaactors.lab.world.World;

/** Shrinks the run of a failed test. */
final class RunMinimizer {
    private final Rerunnable test;
    private final Shrinker.Worlds worlds;
    private final int maxRuns;
    private int runs;
    private int reported = -1;

    /**
     * @param worlds creates worlds like the one in which it failed
     * @param maxRuns maximum runs; then the smallest so far is reported
     */
    RunMinimizer(Rerunnable test, Shrinker.Worlds worlds, int maxRuns) {
        this.test = test;
        this.worlds = worlds;
        this.maxRuns = maxRuns;
    }

    /** Shrinks the run; empty if it does not fail again. */
    Optional<Shrunk> of(long seed, Pace pace, FaultPlan plan) {
        return shrinker().shrink(seed, pace, plan);
    }

    /** Reruns the shrunk run and returns what {@code look} finds in its world; empty if it does not fail again. */
    <T> Optional<T> again(Shrunk shrunk, Function<World, T> look) {
        return shrinker().again(shrunk, look);
    }

    private Shrinker shrinker() {
        return Shrinker.prepared(this::prepare, () -> ++runs > maxRuns, this::tell)
                .in(worlds);
    }

    private Runnable prepare(World world) {
        Runnable body = test.prepare(world);
        return () -> {
            body.run();
            world.faults().stop();
            world.runToQuiet(SeedRun.REST, SeedRun.REST_TASKS);
        };
    }

    private void tell(Shrunk smaller) {
        if (smaller.faults() != reported) {
            reported = smaller.faults();
            System.err.println("shrinking: " + reported + " of " + smaller.faultsBefore() + " faults remain after "
                    + smaller.runs() + " runs");
        }
    }

    Language language() {
        return test.language();
    }

    /**
     * Returns the source to paste.
     *
     * @throws IllegalArgumentException if it arms faults with user code
     */
    String source(Shrunk shrunk) {
        return test.source(shrunk);
    }
}
