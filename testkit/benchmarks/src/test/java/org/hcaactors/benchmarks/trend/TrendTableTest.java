// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrendTableTest {
    private static final BenchMachine HERE = new BenchMachine(2, "JVM 25", "Linux amd64");
    private static final List<Double> SPREAD = List.of(0.990, 0.995, 1.0, 1.005, 1.010);

    /** Returns five rounds around the ratios by CPU time and by clock. */
    private static TrendRun about(String figure, double cpu, double clock) {
        return run(SPREAD.stream()
                .map(part -> Map.of(figure, new FloorRatio(cpu * part, clock * part)))
                .toList());
    }

    private static TrendRun run(List<Map<String, FloorRatio>> rounds) {
        return new TrendRun(HERE, Optional.of("abc"), Optional.empty(), false, rounds);
    }

    private static TrendTable inTurn(TrendRun stored, TrendRun now) {
        return new TrendTable(List.of("SEND"), stored, now, Optional.empty());
    }

    @ParameterizedTest
    @CsvSource({
        "1.0, 1.00, WITHIN_NOISE",
        "1.0, 1.028, WITHIN_NOISE", // significant, but too small
        "1.0, 1.032, BETTER",
        "1.0, 0.972, WITHIN_NOISE",
        "1.0, 0.968, WORSE",
        "0.5, 0.60, BETTER",
        "2.0, 1.00, WORSE",
    })
    void aChangeMustBeSignificantAndLarge(double stored, double now, Finding finding) {
        TrendTable table = inTurn(about("SEND", stored, stored), about("SEND", now, now));
        assertThat(table.lines()).extracting(TrendLine::finding).containsOnly(finding);
        assertThat(table.gotWorse()).isEqualTo(finding == Finding.WORSE);
    }

    @Test
    void aLargeInsignificantChangeIsNoise() {
        double[] busy = {0.6, 0.9, 1.2, 1.5, 1.8};
        TrendRun stored = run(rounds(1, busy));
        TrendRun now = run(rounds(0.7, busy));
        assertThat(inTurn(stored, now).lines()).extracting(TrendLine::finding).containsOnly(Finding.WITHIN_NOISE);
    }

    private static List<Map<String, FloorRatio>> rounds(double times, double... ratios) {
        return Arrays.stream(ratios)
                .mapToObj(ratio -> Map.of("SEND", new FloorRatio(times * ratio, times * ratio)))
                .toList();
    }

    @Test
    void cpuTimeAndClockTimeAreComparedSeparately() {
        TrendTable table = inTurn(about("SEND", 1, 1), about("SEND", 1, 0.8));
        assertThat(table.lines())
                .extracting(TrendLine::measure, TrendLine::finding)
                .containsExactly(
                        tuple(TrendMeasure.CPU, Finding.WITHIN_NOISE), tuple(TrendMeasure.CLOCK, Finding.WORSE));
        assertThat(table.gotWorse()).isTrue();
    }

    @Test
    void rowsOfOneRunOnlyAreNamedAndNotCompared() {
        TrendTable table =
                new TrendTable(List.of("SEND", "READ"), about("READ", 1, 1), about("SEND", 1, 1), Optional.empty());
        assertThat(table.lines()).isEmpty();
        assertThat(table.gotWorse()).isFalse();
        assertThat(table.text()).containsSubsequence("SEND", "only one", "READ", "only one");
    }

    @Test
    void theTableNamesChangesAndTheirRule() {
        assertThat(inTurn(about("SEND", 1, 1), about("SEND", 1.1, 0.9)).text()).isEqualTo("""
                        times the floor; more is better              by       stored       now    change
                        SEND                                         CPU       1.000     1.100   +10.0 %  moved: better
                                                                     clock     1.000     0.900   -10.0 %  moved: WORSE
                        Moved: the medians of 5 rounds each differ by 3 % or more, and chance alone separates the ranks of the rounds so far in \
                        less than one of 40 comparisons (Mann-Whitney, exact): in one of 20 runs of all 2.
                        """);
    }

    @ParameterizedTest
    @CsvSource({"1.09, WITHIN_NOISE", "1.11, BETTER", "0.91, WITHIN_NOISE", "0.89, WORSE"})
    void roundsOfAnotherTimeNeedALargerDifference(double now, Finding finding) {
        TrendTable table =
                new TrendTable(List.of("SEND"), about("SEND", 1, 1), about("SEND", now, now), Optional.of(HERE));
        assertThat(table.lines()).extracting(TrendLine::finding).containsOnly(finding);
        assertThat(table.text())
                .contains("10 % or more")
                .contains("Less certain:")
                .doesNotContain("another machine");
    }

    @Test
    void roundsOfAnotherMachineAreMarked() {
        BenchMachine other = new BenchMachine(64, "JVM 21", "Linux aarch64");
        assertThat(new TrendTable(List.of("SEND"), about("SEND", 1, 1), about("SEND", 1, 1), Optional.of(other)).text())
                .contains("on another machine than this one (JVM 25, 2 cores, Linux amd64)");
    }
}
