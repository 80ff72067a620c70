// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.hcaactors.lab.chance.RandomStreams;

/**
 * The time that a program takes between two of its steps. A step is everything that runs in one callback: the dependents of one
 * stage, one {@code onNext}, one message to an actor of the program. If no time passes between two steps, nothing arrives in
 * between, and no race between a program and the wire can show.
 *
 * <p>Each seed draws how often its programs pause and the longest pause, and then each pause, short ones as likely as long
 * ones. So threads of one program overtake each other, and answers to verbs arrive late.
 *
 * @param longestPauseNanos the longest pause that may be drawn, in virtual nanoseconds, from 0 to {@link #MAX_NANOS}
 */
public record Pace(long longestPauseNanos) {
    /** One second. */
    public static final long MAX_NANOS = 1_000_000_000;

    /** Steps take no time: each runs at the instant at which it is scheduled. */
    public static final Pace INSTANT = new Pace(0);

    /** Up to several round trips on a link of 1 us. */
    public static final Pace DRAWN = new Pace(10_000);

    /** A seed pauses before one step in eight, before four in eight, or before seven in eight. */
    private static final int EIGHTHS = 8;

    private static final int[] PAUSED_EIGHTHS = {1, 4, 7};

    /** A seed's longest pause is the given maximum, a tenth or a hundredth of it. */
    private static final int[] SHORTER = {1, 10, 100};

    public Pace {
        if (longestPauseNanos < 0 || longestPauseNanos > MAX_NANOS) {
            throw new IllegalArgumentException(
                    "the pause is %d ns; 0 to %d ns are allowed".formatted(longestPauseNanos, MAX_NANOS));
        }
    }

    /** Returns the pauses of a world of that seed, one after the other, in nanoseconds. */
    LongSupplier pauses(long seed) {
        SplittableRandom random = RandomStreams.of(seed, "pace");
        int paused = PAUSED_EIGHTHS[random.nextInt(PAUSED_EIGHTHS.length)];
        long longest = longestPauseNanos / SHORTER[random.nextInt(SHORTER.length)];
        return longest == 0 ? () -> 0 : () -> random.nextInt(EIGHTHS) < paused ? pause(random, longest) : 0;
    }

    private static long pause(SplittableRandom random, long longest) {
        return Math.round(Math.pow(longest, random.nextDouble()));
    }
}
