// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

/**
 * How often a benchmark runs while its floor runs once, in one round; more is better.
 *
 * @param cpu by CPU time, the least of the round
 * @param clock by the time that passes, the least of the round
 */
public record FloorRatio(double cpu, double clock) {
    /** IllegalArgumentException unless both are positive numbers. */
    public FloorRatio {
        if (!isPositive(cpu) || !isPositive(clock)) {
            throw new IllegalArgumentException("a ratio is a positive number: " + cpu + ", " + clock);
        }
    }

    private static boolean isPositive(double ratio) {
        return ratio > 0 && Double.isFinite(ratio);
    }
}
