// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.hcaactors.lab.chance.RandomStreams;

/**
 * How long a program takes from one of its steps to the next. A step is what is called back in one go: what hangs on one stage, one
 * {@code onNext}, one message to an actor of the program's. While no time passes between two of them, nothing arrives between them,
 * and a race between a program and the wire has no width.
 *
 * <p>Each seed draws how often its programs pause and how long at most, and then each pause: as likely a short one as a long one. So
 * threads of one program overtake each other, and answers to verbs come late.
 *
 * @param longestPauseNanos the longest pause that may be drawn, in virtual nanoseconds, from 0 to {@link #MAX_NANOS}
 */
public record Pace(long longestPauseNanos) {
    /** A second. */
    public static final long MAX_NANOS = 1_000_000_000;

    /** Steps take no time: they run at the instant at which they are called for. */
    public static final Pace INSTANT = new Pace(0);

    /** Up to several round trips on a link of 1 us. */
    public static final Pace DRAWN = new Pace(10_000);

    /** A seed pauses before one step in eight, before every second one, or before seven in eight. */
    private static final int EIGHTHS = 8;

    private static final int[] PAUSED_EIGHTHS = {1, 4, 7};

    /** A seed's longest pause is the longest that there may be, or a tenth, or a hundredth of it. */
    private static final int[] SHORTER = {1, 10, 100};

    public Pace {
        if (longestPauseNanos < 0 || longestPauseNanos > MAX_NANOS) {
            throw new IllegalArgumentException(
                    "a pause of %d ns; 0 to %d are allowed".formatted(longestPauseNanos, MAX_NANOS));
        }
    }

    /** The pauses of a world of that seed, one after the other, in nanoseconds. */
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
