// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrendOptionsTest {
    private static final List<ComparedBenchmark> SUITE = List.of(
            new ComparedBenchmark("SEND", "A.send", "A.floor", true),
            new ComparedBenchmark("SEND over DC", "B.send", "B.floor", false),
            new ComparedBenchmark("WRITE", "C.write", "C.floor", true));

    private static TrendOptions of(String line) {
        return TrendOptions.of(List.of(line.split(" ")));
    }

    @Test
    void withoutOptionsTheWholeSuiteRuns() {
        TrendOptions options = of("--store a.json");
        assertThat(options.task()).isEqualTo(TrendOptions.Task.STORE);
        assertThat(options.file()).isEqualTo(Path.of("a.json"));
        assertThat(options.rounds()).isEmpty();
        assertThat(options.chosen(SUITE)).isEqualTo(SUITE);
    }

    @ParameterizedTest
    @CsvSource({
        "--compare a.json --quick, SEND;WRITE",
        "--compare a.json --only send, SEND;SEND over DC",
        "--compare a.json --only ^SEND$, SEND",
        "--compare a.json --only send --quick, SEND",
        "--compare a.json --rounds 7 --only dc, SEND over DC",
        "--quick --rounds 7 --compare a.json, SEND;WRITE",
        "--only send --compare a.json --quick, SEND",
    })
    void figuresAreSelectedByNameAndSpeed(String line, String names) {
        assertThat(of(line).chosen(SUITE)).extracting(ComparedBenchmark::name).containsExactly(names.split(";"));
    }

    @Test
    void roundsAreCounted() {
        assertThat(of("--compare a.json --rounds 7").rounds()).hasValue(7);
    }

    @ParameterizedTest
    @CsvSource({
        "--compare, --compare requires a value",
        "--compare a.json --rounds, --rounds requires a value",
        "--compare a.json --rounds 0, --rounds 0; 1 to 100 are allowed",
        "--compare a.json --rounds 101, --rounds 101; 1 to 100 are allowed",
        "--compare a.json --rounds few, --rounds few; 1 to 100 are allowed",
        "--compare a.json --only (, --only ( is no pattern",
        "--compare a.json --fast, unknown option --fast",
        "--store a.json --compare b.json, --store and --compare; only one of them is allowed",
        "--quick --compare, --compare requires a value",
        "--quick, --store or --compare is required",
    })
    void whatCannotBeDoneIsRefusedInALine(String line, String reason) {
        assertThatExceptionOfType(TrendRefusal.class)
                .isThrownBy(() -> of(line))
                .withMessageStartingWith(reason)
                .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContain("\n"));
    }

    @ParameterizedTest
    @CsvSource({
        "--store a.json, true",
        "--quick, true",
        "--rounds 3 --compare a.json, true",
        "-l, false",
        "LatencyBenchmark -f 1, false",
    })
    void anyTrendOptionSelectsTheTrend(String line, boolean trend) {
        assertThat(TrendOptions.areIn(List.of(line.split(" ")))).isEqualTo(trend);
    }

    @Test
    void aPatternThatNoFigureHasIsRefused() {
        assertThatExceptionOfType(TrendRefusal.class)
                .isThrownBy(() -> of("--store a.json --only READ").chosen(SUITE))
                .withMessageContaining("READ");
    }
}
