// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.world.World;
import org.opentest4j.TestAbortedException;

/**
 * One run of a test in a world: arms the swarm, runs the test, lets the world become idle, counts the faults that struck, and
 * reports and shrinks a failure.
 *
 * @param test name of the test
 * @param settings settings of the test
 * @param world world of the run; not closed here
 * @param before progress of the world before the run
 * @param tally counts over all runs of the test
 * @param again the test, if it can be rerun by itself
 * @param requested properties of the test run
 */
public record SeedRun(
        TestName test,
        TestSettings settings,
        World world,
        RunProgress before,
        SeedTally tally,
        Optional<? extends Rerunnable> again,
        RunProperties requested) {
    /** Number of failed seeds after which the others are skipped. */
    public static final int ENOUGH = 10;

    /** Virtual time in which a world must become idle after its test has returned. */
    static final Duration REST = Duration.ofSeconds(10);

    /** Tasks in which it must do so: a sender that retries without end, as a receiver is never ready, would take seconds of real time. */
    static final long REST_TASKS = 300_000;

    /** Number of failed seeds of a test that leave pictures. */
    private static final int PICTURED = 3;

    /** The user's code. */
    @FunctionalInterface
    public interface Body {
        void run() throws Throwable;
    }

    /**
     * Runs the test.
     *
     * @throws RdmaFailure if the test fails for any reason
     * @throws TestAbortedException unchanged, if the test aborts
     */
    public void run(Body body) throws RdmaFailure {
        FaultPlan swarm = settings.swarm().plan(world.seed());
        int prepared = world.faults().plan().faults().size();
        SeedTally.End end = SeedTally.End.FAILED;
        try {
            world.faults().arm(swarm);
            body.run();
            world.faults().stop();
            end = world.runToQuiet(REST, REST_TASKS) ? SeedTally.End.AT_REST : SeedTally.End.BUSY;
        } catch (TestAbortedException skipped) {
            end = SeedTally.End.ABORTED;
            throw skipped;
        } catch (Throwable failure) {
            throw told(swarm, prepared, failure);
        } finally {
            tally.add(SeedEnd.of(world, before, prepared, swarm.faults().size(), end));
        }
    }

    private RdmaFailure told(FaultPlan swarm, int prepared, Throwable failure) {
        int failures = tally.failing();
        if (failures > PICTURED
                || requested.seedsOfNode().isPresent()) { // The JVM that asked runs it again, for its report.
            return RdmaFailure.of(
                    failure,
                    failure.getMessage() + "\nseed " + world.seed() + " failed, too; -D" + RunProperties.ONE + "="
                            + world.seed() + " runs it alone");
        }
        Path folder = requested.folder().resolve(test.folder()).resolve("seed-" + world.seed());
        Optional<SmallRun> small = failures == 1 ? small(swarm, folder) : Optional.empty();
        OwnFaults own = new OwnFaults();
        own.add(OwnFaults.of(
                world.faults(),
                before.faults(),
                prepared,
                prepared + swarm.faults().size()));
        return RdmaFailure.of(failure, new FailureReport(world, test, folder).write(failure, small, own.unstruck()));
    }

    /**
     * Shrinks the first failing seed and writes the source to paste. Empty if shrinking is turned off, or if the test cannot be
     * rerun by itself.
     */
    private Optional<SmallRun> small(FaultPlan swarm, Path folder) {
        int runs = requested.shrinkRuns();
        return again.filter(rerunnable -> runs > 0).flatMap(rerunnable -> {
            RunMinimizer minimal = new RunMinimizer(rerunnable, settings, runs);
            return minimal.of(world.seed(), world.pace(), swarm)
                    .map(shrunk -> SmallRun.of(minimal, shrunk, test.title(), folder));
        });
    }

    /**
     * Closes the world of a successful run.
     *
     * @throws RdmaFailure if objects or stages were left in it
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

    /** Closes the world of a failed run. Errors are ignored: the failure explains them. */
    void closeBroken() {
        try {
            world.close();
        } catch (RuntimeException | AssertionError thrown) {
            // The world of a failed run need not end in order.
        }
    }
}
