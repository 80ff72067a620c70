// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.world.World;
import org.opentest4j.TestAbortedException;

/**
 * One run of a test in a world: its swarm is armed, the world comes to rest, what struck is counted, and if it fails it is told how, and
 * made small.
 *
 * @param test which one it is
 * @param settings of it
 * @param world in which it runs; nobody closes it here
 * @param before what was seen in that world before
 * @param tally of all runs of the test
 * @param again the test, if it can be run again by itself
 * @param asked by whoever runs it
 */
public record SeedRun(
        TestName test,
        TestSettings settings,
        World world,
        RunProgress before,
        SeedTally tally,
        Optional<? extends Rerunnable> again,
        RunProperties asked) {
    /** Failed seeds after which the others are skipped. */
    public static final int ENOUGH = 10;

    /** How long a world may take to come to rest when its test has returned. */
    static final Duration REST = Duration.ofSeconds(10);

    /** Failed seeds of a test that leave pictures. */
    private static final int PICTURED = 3;

    /** What the user wrote. */
    @FunctionalInterface
    public interface Body {
        void run() throws Throwable;
    }

    /**
     * @throws RdmaFailure for whatever it throws
     * @throws TestAbortedException as it is: it does not want to be run
     */
    public void run(Body body) throws RdmaFailure {
        FaultPlan swarm = settings.swarm().plan(world.seed());
        int prepared = world.faults().plan().faults().size();
        SeedTally.End end = SeedTally.End.FAILED;
        try {
            world.faults().arm(swarm);
            body.run();
            world.faults().stop();
            end = world.runToQuiet(REST) ? SeedTally.End.AT_REST : SeedTally.End.BUSY;
        } catch (TestAbortedException skipped) {
            end = SeedTally.End.ABORTED;
            throw skipped;
        } catch (Throwable failure) {
            throw told(swarm, prepared, failure);
        } finally {
            tally.ran(world, before, prepared, swarm.faults().size(), end);
        }
    }

    private RdmaFailure told(FaultPlan swarm, int prepared, Throwable failure) {
        int failures = tally.failing();
        if (failures > PICTURED) {
            return RdmaFailure.of(
                    failure,
                    failure.getMessage() + "\nseed " + world.seed() + " failed, too; -D" + RunProperties.ONE + "="
                            + world.seed() + " runs it alone");
        }
        Path folder = asked.folder().resolve(test.folder()).resolve("seed-" + world.seed());
        Optional<SmallRun> small = failures == 1 ? small(swarm, folder) : Optional.empty();
        OwnFaults own = new OwnFaults();
        own.armed(
                world.faults(),
                before.faults(),
                prepared,
                prepared + swarm.faults().size());
        return RdmaFailure.of(failure, new FailureReport(world, test, folder).write(failure, small, own.unstruck()));
    }

    /**
     * What the first seed that fails is shrunk to, and a file with what to paste. Nothing where shrinking is turned off, or the
     * test can't be run again by itself.
     */
    private Optional<SmallRun> small(FaultPlan swarm, Path folder) {
        int runs = asked.shrinkRuns();
        return again.filter(rerunnable -> runs > 0).flatMap(rerunnable -> {
            RunMinimizer minimal = new RunMinimizer(rerunnable, settings, runs);
            return minimal.of(world.seed(), world.pace(), swarm)
                    .map(shrunk -> SmallRun.of(minimal, shrunk, test.title(), folder));
        });
    }

    /**
     * Closes the world of a run that has ended well.
     *
     * @throws RdmaFailure for what was left in it
     */
    void close() {
        try {
            world.close();
        } catch (RuntimeException | AssertionError found) {
            tally.failedAtItsEnd();
            throw RdmaFailure.of(
                    found,
                    found.getMessage() + "\nat        the end of its world, seed " + world.seed() + "\nreplay    "
                            + test.command().apply(world.seed()));
        }
    }

    /** The same of one that has failed: what closing finds is told by the failure itself. */
    void closeBroken() {
        try {
            world.close();
        } catch (RuntimeException | AssertionError told) {
            // A broken world need not end in order.
        }
    }
}
