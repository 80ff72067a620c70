// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.hocon.RefusedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Text that would take the parser's stack or the heap is refused in one line, by scenarios and by plans. */
class MonstrousTextTest {
    private static String doubling(String unit, int times) {
        return "x0 = " + unit + "\n"
                + IntStream.range(0, times)
                        .mapToObj(i -> "x" + (i + 1) + " = ${x" + i + "} ${x" + i + "}\n")
                        .collect(Collectors.joining());
    }

    static List<Supplier<String>> texts() {
        return List.of(
                () -> "faults = " + "[".repeat(100_000),
                () -> "faults = " + "[".repeat(10_000) + "]".repeat(10_000),
                () -> "a {".repeat(10_000) + "}".repeat(10_000),
                () -> "a.".repeat(20_000) + "a = 1",
                () -> "\"a\" . ".repeat(20_000) + "a = 1",
                () -> ("a.".repeat(60) + "a {").repeat(1000) + "}".repeat(1000),
                () -> "{ a = " + "{ b = [".repeat(5_000),
                () -> doubling("[1, 1]", 40),
                () -> doubling("ab", 40),
                () -> doubling("{ a = 1 }", 40),
                () -> "{" + doubling("[1, 1]", 40) + "}",
                () -> "faults = [1]\n" + "faults = ${faults} ${faults}\n".repeat(40),
                () -> "faults = [1]\n" + "faults += ${faults}\n".repeat(40),
                () -> "x {\n" + doubling("[1]", 40).replace("${", "${x.") + "}",
                () -> "y0 =\n [1]\n"
                        + IntStream.range(0, 40)
                                .mapToObj(i -> "y" + (i + 1) + " =\n ${y" + i + "} ${y" + i + "}\n")
                                .collect(Collectors.joining()),
                () -> "\"z 0\" = [1]\n"
                        + IntStream.range(0, 40)
                                .mapToObj(i -> "\"z " + (i + 1) + "\" = ${\"z " + i + "\"} ${?\"z " + i + "\"}\n")
                                .collect(Collectors.joining()),
                () -> IntStream.range(0, 20_000)
                        .mapToObj(i -> "c" + i + " = ${c" + (i + 1) + "}\n")
                        .collect(Collectors.joining()),
                () -> doubling("[1, 1]", 40).replace("${x", "${\"\\u0078\"\"").replace("}", "\"}"),
                () -> doubling("[1, 1]", 40).replaceAll("(?m)^x(\\d+)", "\"\\\\u0078$1\""),
                () -> doubling("[1, 1]", 40).replaceAll("x(\\d+)", "\"?$1\""),
                () -> doubling("[1, 1]", 40).replaceAll("x(\\d+)", "\"\\\\\"$1\""),
                () -> doubling("[1, 1]", 40).replaceAll("x(\\d+)", "\"}$1\""),
                () -> doubling("[1, 1]", 40).replaceAll("x(\\d+)", "\"\"\"x$1\"\"\""),
                () -> doubling("[1, 1]", 40).replaceAll("(?m)^(x\\d+)", "q = \"\"\"\"\"\"\", $1"),
                () -> "q = \"\"\"\"\"\"\", faults = " + "[".repeat(10_000),
                () -> "faults = ${" + "a.".repeat(20_000) + "a}",
                () -> "faults = " + "${".repeat(100_000),
                () -> "faults = " + "${${a}".repeat(100_000),
                () -> "faults = " + "${\n".repeat(100_000),
                () -> "b = [" + "1, ".repeat(100_000) + "]\nfaults = " + "${b} ".repeat(10_000),
                () -> "faults = \"" + "x".repeat(20_000_000) + "\"");
    }

    @ParameterizedTest
    @MethodSource("texts")
    void monstrousTextIsRefusedInOneLine(Supplier<String> text) {
        assertThatThrownBy(() -> Scenario.parse(text.get(), "monster.conf"))
                .isInstanceOf(RefusedException.class)
                .satisfies(told -> assertThat(told.getMessage())
                        .startsWith("monster.conf:")
                        .doesNotContain("\n")
                        .containsAnyOf("nests deeper than 64 levels", "at most 16777216 characters are allowed"));
        assertThatThrownBy(() -> FaultPlan.parse(text.get()))
                .isInstanceOf(RefusedException.class)
                .satisfies(told -> assertThat(told.getMessage()).doesNotContain("\n"));
    }

    @Test
    void theLineIsNamed() {
        assertThatThrownBy(() -> FaultPlan.parse("# one\nfaults = \"\"\"\n\"\"\"\n" + "[".repeat(65)))
                .hasMessage("line 4: nests deeper than 64 levels");
    }

    @Test
    void aKeyInQuotationMarksIsTheKeyWithoutThem() {
        String plan = "\"\\u0074ime\" = 5us\nfaults = [" + "{ delay { by = ${\"time\"} } },\n".repeat(60) + "]";
        assertThat(FaultPlan.parse(plan).faults()).hasSize(60);
    }

    @Test
    void includesAreRefused() {
        for (String what :
                List.of("\"a\"", "file(\"a\")", "url(\"http://localhost/a\")", "classpath(\"a\")", "required(\"a\")")) {
            assertThatThrownBy(() -> FaultPlan.parse("include " + what))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("must not include another file");
        }
    }

    @Test
    void reasonableNestingIsRead() {
        String plan = "time = 5us\nlate { by = ${time}, at-most = ${time} }\nfaults = ["
                + "{ delay = ${late} }, { delay = ${late} { says = ACK } }, // {{{{ \"\n".repeat(3)
                + "{ kill { at = ${time}, adapter = \"${x}[[[\", process = \"\"\"{{\"\"\" } } ]";
        assertThat(FaultPlan.parse(plan).faults()).hasSize(7);
    }
}
