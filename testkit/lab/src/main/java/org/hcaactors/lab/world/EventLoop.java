// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.hcaactors.lab.invariant.InvariantBrokenException;
import org.hcaactors.lab.invariant.InvariantMonitor;
import org.hcaactors.network.RdmaNetwork;

/** Event loop of a world: runs task by task and instant by instant, and checks failures, leaks and invariants in between. */
final class EventLoop {
    /** Minimum virtual time between two resource audits while time passes. */
    private static final long LOOK_EVERY_NANOS = 10_000;

    private final WorldCore core;
    private final InvariantMonitor monitor;
    private final UserExceptions exceptions;
    private final WorldOptions options;
    private long nextLook;
    private long maxSteps = Long.MAX_VALUE;

    /** Polls in a row that found nothing while nothing was left to run. */
    private int idlePolls;

    /** Virtual time that passed in them. */
    private long idleNanos;

    private long stepsAtPoll;

    EventLoop(WorldCore core, InvariantMonitor monitor, UserExceptions exceptions, WorldOptions options) {
        this.core = core;
        this.monitor = monitor;
        this.exceptions = exceptions;
        this.options = options;
    }

    /** Limits the number of tasks; the run fails if more have run. */
    void limitSteps(long steps) {
        maxSteps = steps;
    }

    /** Runs everything that is ready at this instant. */
    void settle() {
        core.checkThread();
        while (core.step()) {
            checkBroken();
        }
        core.checkLeaks();
        checkBroken();
    }

    /**
     * True if nothing is ready and no timer is armed by {@code limit}, after at most that many tasks. The invariants of an idle
     * world are then checked, too.
     */
    boolean toQuiet(long limit, long maxTasks) {
        long before = core.steps();
        boolean quiet = !until(() -> core.steps() - before >= maxTasks, limit) && !core.hasTimer();
        if (quiet && options.watch().isJudged()) {
            monitor.whenIdle();
            checkBroken();
        }
        return quiet;
    }

    /** Runs until {@code done}; false if nothing is left to do by {@code limit}. Always checks for leaks. */
    boolean until(BooleanSupplier done, long limit) {
        core.checkThread();
        long instant = core.now();
        long stepsBefore = core.steps();
        while (!done.getAsBoolean()) {
            if (!core.step() && !passTime(limit)) {
                core.checkLeaks();
                return false;
            }
            checkBroken();
            checkSteps();
            if (core.now() != instant) {
                instant = core.now();
                stepsBefore = core.steps();
            } else if (core.steps() - stepsBefore > World.MAX_STEPS_AN_INSTANT) {
                throw new WorldStalledException(
                        "stalled at " + instant + " ns, seed " + options.seed() + ": " + World.MAX_STEPS_AN_INSTANT
                                + " tasks ran without any progress of time; some tasks submit each other without end",
                        Duration.ZERO);
            }
        }
        core.checkLeaks();
        return true;
    }

    /**
     * Runs the next task, for a program that polls and found nothing. If nothing is ready, time passes to the next timer after
     * {@link World#POLLS_AN_INSTANT} polls in a row. Within a task nothing runs.
     *
     * @param again its last poll found nothing, either
     * @return true if a task ran or time passed
     * @throws WorldStalledException if the program polls on for {@link RdmaNetwork#DEFAULT_TIMEOUT} of virtual time, or for
     *     {@link World#MAX_IDLE_POLLS} polls while nothing is left to run or a task waits for it
     */
    boolean progress(boolean again) {
        core.checkThread();
        if (!again || core.steps() != stepsAtPoll) {
            idlePolls = 0;
            idleNanos = 0;
        }
        idlePolls++;
        checkSteps();
        if (idlePolls > World.MAX_IDLE_POLLS || idleNanos > RdmaNetwork.DEFAULT_TIMEOUT.toNanos()) {
            throw new WorldStalledException(
                    "a program polls a completion queue that gets no entry, at " + core.now() + " ns, seed "
                            + options.seed() + ": "
                            + (core.isInStep()
                                    ? "it polls within a task, and nothing else runs until the task ends"
                                    : "nothing writes a completion"),
                    RdmaNetwork.DEFAULT_TIMEOUT);
        }
        boolean ran = false;
        if (!core.isInStep()) {
            long before = core.now();
            ran = core.step() || idlePolls >= World.POLLS_AN_INSTANT && passTime(Long.MAX_VALUE);
            if (ran) {
                idlePolls = 0;
                idleNanos += core.now() - before;
            }
            checkBroken();
        }
        stepsAtPoll = core.steps();
        return ran;
    }

    /** Runs the final checks. No event follows. */
    void end() {
        if (options.watch().isJudged()) {
            monitor.atEnd();
        }
        checkBroken();
    }

    /** Checks the resource audit at intervals before time passes. */
    private boolean passTime(long limit) {
        if (core.now() >= nextLook && options.watch().isJudged()) {
            nextLook = core.now() + LOOK_EVERY_NANOS;
            monitor.betweenEvents();
        }
        return core.passTime(limit);
    }

    private void checkSteps() {
        if (core.steps() > maxSteps) {
            throw new WorldStalledException(
                    "the program has not ended at " + core.now() + " ns, seed " + options.seed() + ", when " + maxSteps
                            + " tasks had run, the maximum",
                    Duration.ZERO);
        }
    }

    private void checkBroken() {
        exceptions.raise();
        if (monitor.isBroken()) {
            throw new InvariantBrokenException(monitor.violation().orElseThrow(), options.seed());
        }
    }
}
