// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.hcaactors.lab.invariant.InvariantBrokenException;
import org.hcaactors.lab.invariant.InvariantMonitor;

/** How a world goes on: task by task and instant by instant, and what is checked between two of them. */
final class EventLoop {
    /** How often the books are looked into while time passes. */
    private static final long LOOK_EVERY_NANOS = 10_000;

    private final WorldCore core;
    private final InvariantMonitor watchman;
    private final UserExceptions exceptions;
    private final WorldOptions options;
    private long nextLook;
    private long maxSteps = Long.MAX_VALUE;

    EventLoop(WorldCore core, InvariantMonitor watchman, UserExceptions exceptions, WorldOptions options) {
        this.core = core;
        this.watchman = watchman;
        this.exceptions = exceptions;
        this.options = options;
    }

    /** It ends when so many tasks have run. */
    void limitSteps(long steps) {
        maxSteps = steps;
    }

    /** Everything that is ready, at this instant. */
    void settle() {
        core.checkThread();
        while (core.step()) {
            checkBroken();
        }
        core.checkLeaks();
        checkBroken();
    }

    /** True if nothing is ready and no timer is armed by {@code limit}; then the invariants of rest hold, too. */
    boolean toQuiet(long limit) {
        until(() -> false, limit);
        boolean quiet = !core.hasTimer();
        if (quiet && options.watch().isJudged()) {
            watchman.whenIdle();
            checkBroken();
        }
        return quiet;
    }

    /** False when nothing is left to do by {@code limit}. Leaks are found here, whoever asked. */
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
            if (core.steps() > maxSteps) {
                throw new WorldStalledException(
                        "not over at " + core.now() + " ns, seed " + options.seed() + ", when " + maxSteps
                                + " tasks had run, and no more are allowed here",
                        Duration.ZERO);
            }
            if (core.now() != instant) {
                instant = core.now();
                stepsBefore = core.steps();
            } else if (core.steps() - stepsBefore > World.MAX_STEPS_AN_INSTANT) {
                throw new WorldStalledException(
                        "stalled at " + instant + " ns, seed " + options.seed() + ": " + World.MAX_STEPS_AN_INSTANT
                                + " tasks ran and no time passed; something turns in a circle",
                        Duration.ZERO);
            }
        }
        core.checkLeaks();
        return true;
    }

    /** Nothing comes after this. */
    void end() {
        if (options.watch().isJudged()) {
            watchman.atEnd();
        }
        checkBroken();
    }

    /** Before it passes, the books are looked into now and then. */
    private boolean passTime(long limit) {
        if (core.now() >= nextLook && options.watch().isJudged()) {
            nextLook = core.now() + LOOK_EVERY_NANOS;
            watchman.betweenEvents();
        }
        return core.passTime(limit);
    }

    private void checkBroken() {
        exceptions.raise();
        if (watchman.isBroken()) {
            throw new InvariantBrokenException(watchman.violation().orElseThrow(), options.seed());
        }
    }
}
