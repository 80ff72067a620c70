// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.hcaactors.lab.program.ProgramCheck;
import org.hcaactors.lab.shrink.PastedTest;
import org.hcaactors.lab.shrink.Shrinker;
import org.hcaactors.lab.shrink.Shrunk;

/**
 * The smallest run of a failing seed that fails in the same way.
 *
 * @param text how it fails, its faults, and its source as a test
 */
public record MinimalRun(long seed, String text) {
    /**
     * Shrinks a seed; empty if it does not fail.
     *
     * @param most after this time, the best run so far is the result
     * @param clock nanoseconds, never going back
     * @param progress receives every smaller run that is found
     */
    public static Optional<MinimalRun> of(
            Sweep sweep, long seed, Duration most, LongSupplier clock, Consumer<Shrunk> progress) {
        long begun = clock.getAsLong();
        Traffic traffic = sweep.traffic();
        return new Shrinker(traffic::run, () -> clock.getAsLong() - begun > most.toNanos(), progress)
                .in(sweep.worlds())
                .shrink(seed, sweep.plan(seed))
                .map(shrunk -> new MinimalRun(seed, text(seed, shrunk, traffic)));
    }

    private static String text(long seed, Shrunk shrunk, Traffic traffic) {
        return shrunk.story() + "\n" + shrunk + "\n\n"
                + PastedTest.source(
                        shrunk,
                        "Shrunk" + Long.toUnsignedString(seed),
                        EnumSet.allOf(ProgramCheck.class),
                        traffic.call(),
                        Traffic.class);
    }
}
