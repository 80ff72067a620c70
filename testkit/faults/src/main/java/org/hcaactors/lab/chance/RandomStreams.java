// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.chance;

import java.util.SplittableRandom;
import org.hcaactors.adapter.number.FirstNumbers;

/** Random streams derived from seeds; streams of neighbouring seeds are independent. */
public final class RandomStreams {
    private static final int MIN_FIRST_QUEUE_PAIR = 0x11;
    private static final int MAX_FIRST_QUEUE_PAIR = 900;
    private static final int MAX_FIRST_INDEX = 0xFFF;

    private RandomStreams() {}

    /** Returns the random stream of that seed and purpose; every purpose has a stream of its own. */
    public static SplittableRandom of(long seed, String purpose) {
        long z = seed + 0x9E3779B97F4A7C15L * purpose.hashCode();
        return new SplittableRandom(mixed(mixed(z) ^ purpose.hashCode()));
    }

    /** Returns the first numbers of an adapter in a world of that seed: random, but short enough to be readable in a ladder. */
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
