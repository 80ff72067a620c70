// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

/**
 * One figure by one measure, before and now.
 *
 * @param stored median of the stored rounds
 * @param now median of the new ones
 * @param chance result of {@link Noise#chance}
 */
public record TrendLine(
        String figure, TrendMeasure measure, double stored, double now, double chance, Finding finding) {
    /** Returns the relative change; positive is better. */
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
     * Thresholds of a significant change.
     *
     * @param minChange minimum relative change
     * @param maxChance maximum probability that the rounds were separated as far by chance
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
