// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NoiseTest {
    private static double[] values(String text) {
        return Stream.of(text.split(" ")).mapToDouble(Double::parseDouble).toArray();
    }

    /** Two-sided, as in published tables of the test. */
    @ParameterizedTest
    @CsvSource({
        "1 2 3,         4 5 6,          0.1", // 2 of 20
        "4 5 6,         1 2 3,          0.1",
        "1 2 4,         3 5 6,          0.2", // 4 of 20
        "1 2 3 4 5,     6 7 8 9 10,     0.0079365", // 2 of 252
        "1 2 3 4 6,     5 7 8 9 10,     0.0158730", // 4 of 252
        "1 3 5 7 9,     2 4 6 8 10,     0.6904762",
        "1 2 3 4 5 6,   7 8 9 10 11 12, 0.0021645", // 2 of 924
        "1 2,           3 4 5,          0.2", // 2 of 10
        "5,             1 2 3 4,        0.4", // 2 of 5
    })
    void chanceIsTheShareOfDrawsAsFarApart(String some, String others, double chance) {
        assertThat(Noise.chance(values(some), values(others))).isCloseTo(chance, within(1e-6));
    }

    @Test
    void equalRoundsAreNotSignificant() {
        assertThat(Noise.chance(values("1 1 1"), values("1 1 1"))).isEqualTo(1);
        assertThat(Noise.chance(values("1 2 3"), values("1 2 3"))).isEqualTo(1);
    }

    @Test
    void equalValuesShareTheirRanks() {
        // Ranks 1.5 1.5 against 3.5 3.5: 2 of 6 draws.
        assertThat(Noise.chance(values("1 1"), values("2 2"))).isCloseTo(2 / 6.0, within(1e-9));
    }

    @Test
    void oneBadRoundIsNotSignificant() {
        double[] calm = values("1.00 1.01 1.02 0.99 1.03 0.98");
        double[] oneBad = values("1.005 1.015 1.025 0.995 1.035 0.01");
        assertThat(Noise.chance(calm, oneBad)).isGreaterThan(0.5);
    }

    @ParameterizedTest
    @CsvSource({"1, 4", "2, 5", "6, 5", "7, 6", "23, 6", "24, 7", "85, 7", "86, 8"})
    void moreComparisonsNeedMoreRounds(int comparisons, int rounds) {
        assertThat(Noise.minRounds(comparisons)).isEqualTo(rounds);
        assertThat(Noise.canBeSignificant(rounds, rounds, comparisons)).isTrue();
        assertThat(Noise.canBeSignificant(rounds - 1, rounds - 1, comparisons)).isFalse();
    }

    @Test
    void manyStoredRoundsCompensateForFewNewOnes() {
        assertThat(Noise.canBeSignificant(3, 3, 1)).isFalse();
        assertThat(Noise.canBeSignificant(8, 3, 1)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"3, 3", "1 3, 2", "9 1 2, 2", "4 1 3 2, 2.5"})
    void theMedianIsTheMiddleValue(String values, double median) {
        double[] given = values(values);
        double[] before = Arrays.copyOf(given, given.length);
        assertThat(Noise.median(given)).isEqualTo(median);
        assertThat(given).containsExactly(before);
    }

    @Test
    void anEmptyListHasNoMedian() {
        assertThatIllegalArgumentException().isThrownBy(() -> Noise.median(new double[0]));
    }
}
