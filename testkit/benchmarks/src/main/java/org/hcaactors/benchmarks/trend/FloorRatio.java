// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

/**
 * Speed of a benchmark relative to its baseline in one round; more is better.
 *
 * @param cpu by CPU time, from the minimum of the round
 * @param clock by elapsed time, from the minimum of the round
 */
public record FloorRatio(double cpu, double clock) {
    /** Throws IllegalArgumentException unless both are positive numbers. */
    public FloorRatio {
        if (!isPositive(cpu) || !isPositive(clock)) {
            throw new IllegalArgumentException(
                    "ratios must be positive, but are " + cpu + " (CPU) and " + clock + " (clock)");
        }
    }

    private static boolean isPositive(double ratio) {
        return ratio > 0 && Double.isFinite(ratio);
    }
}
