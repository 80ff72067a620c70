// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.chance;

import java.util.SplittableRandom;
import org.hcaactors.adapter.number.FirstNumbers;

/** Streams of lots from seeds, far from one another also where the seeds are neighbours. */
public final class RandomStreams {
    private static final int MIN_FIRST_QUEUE_PAIR = 0x11;
    private static final int MAX_FIRST_QUEUE_PAIR = 900;
    private static final int MAX_FIRST_INDEX = 0xFFF;

    private RandomStreams() {}

    /** The stream of that seed and that purpose; another purpose draws from another stream. */
    public static SplittableRandom of(long seed, String purpose) {
        long z = seed + 0x9E3779B97F4A7C15L * purpose.hashCode();
        return new SplittableRandom(mixed(mixed(z) ^ purpose.hashCode()));
    }

    /**
     * Where the numbers of that adapter begin in a world of that seed: anywhere, among numbers that are short enough to be
     * read in a ladder.
     */
    public static FirstNumbers numbers(long seed, String adapter) {
        SplittableRandom random = of(seed, "numbers of " + adapter);
        return new FirstNumbers(
                random.nextInt(MIN_FIRST_QUEUE_PAIR, MAX_FIRST_QUEUE_PAIR + 1),
                random.nextInt(FirstNumbers.MIN_INDEX, MAX_FIRST_INDEX + 1) << Byte.SIZE);
    }

    private static long mixed(long value) {
        long z = value * 0xD1342543DE82EF95L + 0x1234_5678_9ABC_DEFL;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
