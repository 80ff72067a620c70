// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.hcaactors.lab.chance.RandomStreams;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hca explain} and {@code hca flow} look at what {@code hca demo} has recorded. */
@Tag("judge")
class RecordedRunTest {
    private static final int SEED = 1;
    private static final int ALICE = RandomStreams.numbers(SEED, "alice").queuePair();
    private static final int BOB = RandomStreams.numbers(SEED, "bob").queuePair();

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    static Path folder;

    private static String trace() {
        return folder.resolve("trace.rlog").toString();
    }

    @BeforeAll
    static void record() {
        assertThat(CommandRun.of("demo", "--out", folder.toString()).status()).isZero();
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

    @Test
    void explainNamesFailuresAndTheirReasons() {
        CommandRun run = CommandRun.of("explain", trace());
        assertThat(run.status()).isZero();
        assertThat(run.out())
                .startsWith("hca demo, seed 1")
                .contains("request 10 of alice/qp" + ALICE + " (RDMA_WRITE 64 bytes) ended with REM_ACCESS_ERR")
                .contains("because bob/qp" + BOB + ": R_Key 0x000bad00 is not registered")
                .contains("NAK remote access psn 116");
    }

    @Test
    void explainExplainsOneRequestAndOneEvent() throws IOException {
        CommandRun one = CommandRun.of("explain", trace(), "--request", "10", "--qp", "alice/" + ALICE, "--json");
        JsonNode told = JSON.readTree(one.out()).get("explanations");
        assertThat(told).hasSize(1);
        assertThat(told.get(0).get("root").asText()).contains("0x000bad00");
        long event = told.get(0).get("events").get(0).asLong();
        CommandRun same = CommandRun.of("explain", trace(), "--event", Long.toString(event), "--no-ladder");
        assertThat(same.status()).isZero();
        assertThat(same.out()).contains("qp" + ALICE + " posts 10");
    }

    @Test
    void explainNamesARequestThatWaitedForPagesWhereNothingFailed(@TempDir Path pages) {
        String scenario = "../../docs/guide/scenarios/26-pages-on-demand.conf";
        assertThat(CommandRun.of("run", scenario, "--out", pages.toString()).status())
                .isZero();
        String trace = pages.resolve("trace.rlog").toString();
        assertThat(CommandRun.of("explain", trace).out())
                .contains("no request failed or is outstanding")
                .contains("3 requests waited for pages; --request 1 --qp a/18 explains the first");
        assertThat(CommandRun.of("explain", trace, "--request", "1", "--qp", "a/18")
                        .out())
                .contains("its adapter had not mapped any of these pages before");
    }

    @Test
    void explainCountsLossesWhereNothingFailed(@TempDir Path lossy) {
        String scenario = "../../docs/guide/scenarios/02-lost-packet.conf";
        assertThat(CommandRun.of("run", scenario, "--out", lossy.toString()).status())
                .isZero();
        assertThat(CommandRun.of("explain", lossy.resolve("trace.rlog").toString())
                        .out())
                .contains("no request failed or is outstanding", "1 packet was lost on the way from a: dropped by")
                .containsPattern("1 request was sent again: 1 of a/17; --event \\d+ explains the first");
    }

    @Test
    void flowDrawsTheSameLadderAgain() throws IOException {
        CommandRun run = CommandRun.of("flow", trace());
        assertThat(run.out()).isEqualTo(Files.readString(folder.resolve("ladder.txt")));
        assertThat(CommandRun.of("flow", trace(), "--as", "mermaid").out())
                .isEqualTo(Files.readString(folder.resolve("ladder.mmd")));
        assertThat(CommandRun.of("flow", trace(), "--as", "detailed").out()).contains("gets receive");
    }

    @Test
    void flowWritesTheSameCaptureAgain(@TempDir Path again) throws IOException {
        assertThat(CommandRun.of("flow", trace(), "--out", again.toString()).status())
                .isZero();
        assertThat(dissected(again)).isEqualTo(dissected(folder)).isNotEmpty();
        assertThat(again.resolve("ladder.txt")).hasSameTextualContentAs(folder.resolve("ladder.txt"));
    }

    /** Not byte by byte: a recorded run does not say the adapters' profiles, which a capture of the run itself contains. */
    private static String dissected(Path folder) {
        return CommandRun.of("dissect", folder.resolve("packets.pcapng").toString(), "--json")
                .out();
    }

    @Test
    void flowDrawsATimeSpanWithTheWholePathOfItsPackets() {
        CommandRun run = CommandRun.of("flow", trace(), "--from", "53", "--to", "53.5");
        assertThat(run.out().lines().findFirst().orElseThrow())
                .contains("alice")
                .contains("bob");
        assertThat(run.out().lines())
                .hasSize(4)
                .last()
                .asString()
                .contains("WRITE_ONLY psn 116")
                .contains("arrives");
    }

    @Test
    void aTruncatedFileIsReportedAsTruncated() throws IOException {
        byte[] all = Files.readAllBytes(Path.of(trace()));
        Path half = Files.write(folder.resolve("half.rlog"), Arrays.copyOf(all, all.length / 2));
        assertThat(CommandRun.of("explain", half.toString()).out()).contains("the file is truncated");
    }

    @Test
    void aDrawingOfATruncatedFileIsReportedOnStandardError() throws IOException {
        byte[] all = Files.readAllBytes(Path.of(trace()));
        Path half = Files.write(folder.resolve("half.rlog"), Arrays.copyOf(all, all.length / 2));
        CommandRun drawn = CommandRun.of("flow", half.toString());
        assertThat(drawn.status()).isZero();
        assertThat(drawn.err().lines()).containsExactly("the file is truncated: later events are missing");
        assertThat(CommandRun.of("explain", half.toString(), "--json").err()).contains("the file is truncated");
    }

    private static String changed(String from, String to) throws IOException {
        String all = Files.readString(Path.of(trace()));
        assertThat(all).contains(from);
        return Files.writeString(folder.resolve("changed.rlog"), all.replaceFirst(Pattern.quote(from), to))
                .toString();
    }

    @Test
    void eventsOfALaterVersionAreSkippedAndCounted() throws IOException {
        String later = changed("\"verb\":\"RdmaWrite\"", "\"verb\":\"FlushMemory\"");
        assertThat(CommandRun.of("explain", later).out()).contains("1 events of unknown kinds were skipped");
        assertThat(CommandRun.of("flow", later).err()).startsWith("1 events of unknown kinds were skipped");
    }

    @Test
    void aDamagedFileIsRefusedByTextAndField() throws IOException {
        String damaged = changed("\"completion\":", "\"compilation\":");
        for (String command : List.of("explain", "flow")) {
            refuses("data.completion is missing", command, damaged);
        }
    }

    @Test
    void aHostileFileIsRefusedBeforeAnyOutput(@TempDir Path pages) throws IOException {
        String out = pages.resolve("out").toString();
        String half = changed("\"title\":\"hca demo\"", "\"title\":\"hca \\\\ud800 demo\"");
        refuses("unpaired surrogates are not allowed, but one is in \"hca ? demo\"", "flow", half, "--out", out);
        String deep = changed("\"causes\":[", "\"causes\":" + "[".repeat(5000));
        refuses("exceeds the limits", "flow", deep, "--out", out);
        String wide = changed("\"title\":\"", "\"title\":\"" + "x".repeat(1 << 20));
        refuses("longer than", "flow", wide, "--out", out);
        assertThat(Path.of(out)).doesNotExist();
    }

    @Test
    void missingFilesAndEventsAreRefusedInOneLine() {
        refuses("cannot read", "explain", "no-such.rlog");
        refuses("pom.xml: neither a capture nor a recorded run", "flow", "pom.xml");
        refuses("pom.xml: neither a capture nor a recorded run", "explain", "pom.xml");
        refuses("no completion of request 4711", "explain", trace(), "--request", "4711");
        refuses("no event 999999", "explain", trace(), "--event", "999999");
        refuses("no event happened from 9.0E9 us", "flow", trace(), "--from", "9e9");
        refuses("pineapple", "flow", trace(), "--as", "pineapple");
    }
}
