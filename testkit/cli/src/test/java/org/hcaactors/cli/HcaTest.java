// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.OptionSpec;

/** Common behaviour of all commands: help, and messages for bad input. */
class HcaTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "dissect /nowhere | cannot read /nowhere",
                "dissect pom.xml | neither pcap nor pcapng",
                "dissect | Missing required parameter: 'FILE'",
                "nonsense | nonsense",
                "help nonsense | nonsense",
                "pingpong --transport xx | rc, uc, ud, xrc, dc, srq are allowed",
                "pingpong --transport ud --size 5000 | 0 to 4096 is allowed",
                "pingpong -q 3 | requires --transport srq",
                "pingpong --transport xrc -q 3 | requires --transport srq",
                "pingpong -c 3 | requires --transport xrc",
                "pingpong --transport xrc -c 65 | 1 to 64 is allowed",
                "perf | Missing required parameter: 'TEST'",
                "perf read_bw --transport ud | ud does not support read",
                "perf atomic_bw -s 4 | for atomics only 8 is allowed",
                "perf send_lat -n 1000000 -q 64 | 1 to 62500 is allowed",
                "devinfo -d nothing | there are [mlx5_0, mlx5_1, mlx5_2, ",
                "devinfo -i 2 | only 1 is allowed",
                "pingpong --mtu 1000 | 256, 512, 1024, 2048 and 4096 are allowed",
                "pingpong --mtu x | 256, 512, 1024, 2048 and 4096 are allowed",
                "sweep --seed 9223372036854775807 --seeds 2 | the last possible seed is 9223372036854775807, so --seeds 1 to 1 is allowed",
                "sweep --shrink --unwatched | omit --shrink or --unwatched",
                "flow --from 3 --to 2 nowhere | --from must not be after --to",
                "flow --from NaN nowhere | --from is NaN; a number of at least 0 is allowed",
                "demo --out /proc/nowhere | cannot write to /proc/nowhere"
            })
    void badInputIsOneClearLineAndStatusTwo(String line, String told) {
        CommandRun run = CommandRun.of(line.split(" "));
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err()).startsWith("hca: ").contains(told);
    }

    static List<OptionSpec> numbers() {
        return Hca.commandLine(new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter()))
                .getSubcommands()
                .values()
                .stream()
                .flatMap(command -> command.getCommandSpec().options().stream())
                .filter(option -> option.type().isPrimitive() && option.type() != boolean.class
                        || Number.class.isAssignableFrom(option.type()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void everyNumericOptionRefusesOtherValuesAndNamesItsRange(OptionSpec option) {
        AllowedRange allowed = Ranges.allowed(option).orElseThrow();
        List<String> wrong = new ArrayList<>(List.of("x", "", "99999999999999999999x"));
        if (option.type() != Double.class) {
            wrong.add("99999999999999999999");
            wrong.add("1.5");
        }
        if (allowed.min() > Long.MIN_VALUE) {
            wrong.add(Long.toString(allowed.min() - 1));
        }
        if (allowed.max() < Long.MAX_VALUE) {
            wrong.add(Long.toString(allowed.max() + 1));
        }
        for (CommandRun run : CommandRun.ofEach(
                wrong.stream().map(value -> lineWith(option, value)).toList())) {
            assertThat(run.status()).as(run.toString()).isEqualTo(2);
            assertThat(run.err())
                    .startsWith("hca: " + option.longestName() + " is ")
                    .contains("allowed")
                    .hasLineCount(1);
        }
    }

    private static List<String> lineWith(OptionSpec option, String value) {
        List<String> line = new ArrayList<>(List.of(option.command().name(), option.longestName(), value));
        if (!option.command().positionalParameters().isEmpty()) {
            line.add(option.command().name().equals("perf") ? "send_bw" : "nowhere");
        }
        return line;
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "help", "help sweep", "sweep --help"})
    void helpIsOnStdoutAndStatusZero(String line) {
        CommandRun run = CommandRun.of(line.split(" "));
        assertThat(run.status()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).startsWith("Usage: hca");
    }

    @Test
    void withoutACommandAllCommandsAreListed() {
        CommandRun run = CommandRun.of();
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("demo", "pingpong", "dissect", "conform", "help");
    }
}
