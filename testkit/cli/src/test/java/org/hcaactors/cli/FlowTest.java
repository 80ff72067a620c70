// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hca flow}: in which forms it shows a run, and which part of it. */
class FlowTest {
    @TempDir
    static Path folder;

    private static String trace() {
        return folder.resolve("trace.rlog").toString();
    }

    @BeforeAll
    static void record() {
        String scenario = "../../docs/guide/scenarios/07-wrong-key.conf";
        assertThat(CommandRun.of("run", scenario, "--out", folder.toString()).status())
                .isZero();
    }

    private static void refuses(String reason, String... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines())
                .singleElement()
                .asString()
                .startsWith("hca: ")
                .contains(reason);
    }

    private static List<String> files(Path in) throws IOException {
        try (Stream<Path> files = Files.list(in)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void plantUmlAndCsvArePrinted() {
        assertThat(CommandRun.of("flow", trace(), "--as", "plantuml").out())
                .startsWith("@startuml\nparticipant \"a\"\n")
                .contains("\"a\" ->> \"b\" : ")
                .endsWith("@enduml\n");
        CommandRun table = CommandRun.of("flow", trace(), "--as", "csv");
        assertThat(table.out()).startsWith("number,sent_ns,").contains(",RC,WRITE_ONLY,");
        assertThat(table.out().lines().count()).isGreaterThan(2);
    }

    @Test
    void theOutOptionWritesEveryForm(@TempDir Path all) throws IOException {
        CommandRun run = CommandRun.of("flow", trace(), "--out", all.toString());
        assertThat(run.status()).isZero();
        assertThat(files(all))
                .contains(
                        "ladder-detailed.txt",
                        "ladder.mmd",
                        "ladder.puml",
                        "report.html",
                        "ladder.txt",
                        "packets.csv",
                        "packets.pcapng",
                        "trace.perfetto-trace");
        assertThat(run.out()).contains("packets.csv", "trace.perfetto-trace");
        assertThat(all.resolve("ladder.txt")).hasSameTextualContentAs(folder.resolve("ladder.txt"));
        assertThat(all.resolve("ladder.mmd")).hasSameTextualContentAs(folder.resolve("ladder.mmd"));
        assertThat(all.resolve("report.html")).hasSameBinaryContentAs(folder.resolve("report.html"));
        assertThat(Files.readAllBytes(all.resolve("trace.perfetto-trace"))).startsWith(0x0A);
    }

    @Test
    void theOutOptionWithAFormWritesThatForm(@TempDir Path one) throws IOException {
        assertThat(CommandRun.of("flow", trace(), "--as", "perfetto", "--out", one.toString())
                        .out())
                .isEqualTo("pictures: " + one + "/{trace.perfetto-trace}" + System.lineSeparator());
        assertThat(files(one)).containsExactly("trace.perfetto-trace");
    }

    @Test
    void aTraceForPerfettoIsNotWrittenToATerminal() {
        refuses("--out DIR is required", "flow", trace(), "--as", "perfetto");
    }

    @Test
    void aroundAnEventAreItsCausesAndEffects() throws IOException {
        CommandRun told = CommandRun.of("explain", trace(), "--json");
        long event = new ObjectMapper()
                .readTree(told.out())
                .at("/explanations/0/events/0")
                .asLong();
        CommandRun part = CommandRun.of("flow", trace(), "--around", Long.toString(event));
        assertThat(part.status()).isZero();
        assertThat(part.out()).contains("NAK remote access", "posts");
        assertThat(CommandRun.of("flow", trace(), "--around", Long.toString(event), "--as", "plantuml")
                        .out())
                .contains("NAK remote access");
    }

    @Test
    void allowedNamesArePrintedAsTheyAreTyped() {
        String forms = "text, html, detailed, mermaid, plantuml, csv";
        refuses("--as is svg; " + forms + " or perfetto is allowed", "flow", trace(), "--as", "svg");
        assertThat(CommandRun.of("flow", "--help").out().replaceAll("\\s+", " "))
                .contains(forms + " or perfetto (default: text;");
        refuses("TEST is nosuch; send_bw, send_lat, write_bw, ", "perf", "nosuch");
    }

    @Test
    void invalidOptionsAreRefusedInOneLine(@TempDir Path scratch) throws IOException {
        refuses("no event 999999", "flow", trace(), "--around", "999999");
        refuses("omit --from and --to", "flow", trace(), "--around", "7", "--to", "3");
        refuses("0", "flow", trace(), "--around", "0");
        refuses("pineapple", "flow", trace(), "--as", "pineapple");
        Path file = Files.createFile(scratch.resolve("taken"));
        refuses("cannot write to", "flow", trace(), "--out", file.toString());
    }
}
