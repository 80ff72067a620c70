package org.hcaactors.lab.chance;

import java.util.SplittableRandom;

/** Streams of lots from seeds, far from one another also where the seeds are neighbours. */
public final class Lots {
    private Lots() {}

    /** The stream of that seed and that purpose; another purpose draws from another stream. */
    public static SplittableRandom of(long seed, String purpose) {
        long z = seed + 0x9E3779B97F4A7C15L * purpose.hashCode();
        return new SplittableRandom(mixed(mixed(z) ^ purpose.hashCode()));
    }

    private static long mixed(long value) {
        long z = value * 0xD1342543DE82EF95L + 0x1234_5678_9ABC_DEFL;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
