// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

/**
 * One figure by one measure, then and now.
 *
 * @param stored the median of the stored rounds
 * @param now the median of the new ones
 * @param chance as {@link Noise#chance} has it
 */
public record TrendLine(
        String figure, TrendMeasure measure, double stored, double now, double chance, Finding finding) {
    /** As a part of what was; positive is better. */
    double change() {
        return now / stored - 1;
    }

    static TrendLine of(String figure, TrendMeasure measure, double[] then, double[] now, Bar bar) {
        double before = Noise.median(then);
        double after = Noise.median(now);
        double chance = Noise.chance(then, now);
        return new TrendLine(figure, measure, before, after, chance, bar.judge(after / before - 1, chance));
    }

    /**
     * What a change must pass to be one.
     *
     * @param minChange as a part of what was
     * @param maxChance that the rounds parted so far by chance
     */
    record Bar(double minChange, double maxChance) {
        Finding judge(double change, double chance) {
            if (Math.abs(change) < minChange || chance > maxChance) {
                return Finding.WITHIN_NOISE;
            }
            return change > 0 ? Finding.BETTER : Finding.WORSE;
        }
    }
}
