// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The table of results against Soft-RoCE has the form and the names of {@code testkit/judge-live}. */
@EnabledOnOs(OS.LINUX)
class SoftRoceTableTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final String HEADING =
            "| case | program in the guest | data compared | as expected | not as expected |";

    /** A row: cases with all parts of their names in common but the last. */
    private record Row(List<String> cells) {
        static Row of(String line) {
            return new Row(Arrays.stream(line.split("(?<!\\\\)\\|"))
                    .skip(1)
                    .map(String::strip)
                    .toList());
        }

        Set<String> cases() {
            Set<String> cases = new TreeSet<>();
            parts(3, ", ").forEach(variant -> cases.add(cells.getFirst() + "/" + variant));
            parts(4, "; ")
                    .forEach(failed -> cases.add(cells.getFirst() + "/" + failed.substring(0, failed.indexOf(':'))));
            return cases;
        }

        private List<String> parts(int cell, String separator) {
            String text = cells.get(cell);
            return text.equals("none") ? List.of() : List.of(text.split(separator));
        }
    }

    private static List<Row> rows() throws IOException {
        List<String> page = Files.readAllLines(ROOT.resolve("docs/reference/soft-roce.md"));
        int heading = page.indexOf(HEADING);
        assertThat(heading).as("line of the table's heading").isPositive();
        return page.stream()
                .skip(heading + 2L)
                .takeWhile(line -> line.startsWith("|"))
                .map(Row::of)
                .toList();
    }

    private static List<String> listed() throws IOException, InterruptedException {
        Process list = new ProcessBuilder(
                        "bash", ROOT.resolve("testkit/judge-live").toString(), "--list")
                .redirectErrorStream(true)
                .start();
        List<String> lines = list.inputReader().lines().toList();
        assertThat(list.waitFor(1, TimeUnit.MINUTES)).as("the list ends").isTrue();
        assertThat(list.exitValue()).as(String.join("\n", lines)).isZero();
        return lines;
    }

    @Test
    void eachCaseOfTheTableIsOneOfTheCommand() throws IOException, InterruptedException {
        Set<String> inTable =
                rows().stream().flatMap(row -> row.cases().stream()).collect(Collectors.toCollection(TreeSet::new));
        assertThat(inTable).isNotEmpty().isSubsetOf(listed());
    }

    @Test
    void eachRowHasFiveCells() throws IOException {
        assertThat(rows()).allSatisfy(row -> assertThat(row.cells()).hasSize(5));
    }
}
