// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code hca run}. */
@Tag("judge")
class RunScenarioTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path SCENARIOS = Path.of("../../docs/guide/scenarios");
    private static final Path WRONG = Path.of("../scenario/src/test/resources/wrong-scenarios");

    @TempDir
    Path folder;

    private CommandRun run(Path file, String... more) {
        return CommandRun.of(
                Stream.concat(Stream.of("run", file.toString(), "--out", folder.toString()), Stream.of(more))
                        .toArray(String[]::new));
    }

    @Test
    void aScenarioThatHoldsIsReported() {
        CommandRun run = run(SCENARIOS.resolve("02-lost-packet.conf"));
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out())
                .startsWith("A lost packet: PSN sequence error NAK and go-back-N")
                .contains("dropped by")
                .doesNotContain("RESET to INIT")
                .contains("a: packet_seq_err 1")
                .contains("holds   same-bytes")
                .contains("pictures: " + folder);
        assertThat(folder.resolve("trace.rlog")).isNotEmptyFile();
        assertThat(folder.resolve("packets.pcapng")).isNotEmptyFile();
    }

    @Test
    void aPostRefusedByAnAdapterIsReported() throws IOException {
        Path file = Files.writeString(folder.resolve("none.conf"), """
                title = "atomics where there are none"
                adapters { a { profile = no-atomics }, b {} }
                objects  { pair { type = rc, between = [a, b] } }
                traffic  = [ { on = pair, masked-add = 8, times = 3, wait = true } ]
                expect   = [ no-stall ]
                """);
        String reason = "masked-add: EOPNOTSUPP: No-Atomics has no atomics";
        assertThat(run(file).out()).contains("refused 3 x " + reason + "\n");
        assertThat(JSON.readTree(run(file, "--json").out())
                        .at("/refused")
                        .get(reason)
                        .asInt())
                .isEqualTo(3);
        assertThat(JSON.readTree(run(SCENARIOS.resolve("02-lost-packet.conf"), "--json")
                                .out())
                        .get("refused"))
                .isEmpty();
    }

    @Test
    void anUnstruckFaultIsReported() throws IOException {
        Path file = Files.writeString(folder.resolve("unused.conf"), """
                title = "one of two faults strikes"
                adapters { a {}, b {} }
                objects  { pair { type = rc, between = [a, b] } }
                traffic  = [ { on = pair, write = 64, wait = true } ]
                faults   = [ { drop { says = ACK, nth = 1 } }, { drop { says = RNR, nth = 7 } },
                             { starve { at = 1ns, adapter = b, qp = 99, messages = 1 } } ]
                expect   = [ no-stall ]
                """);
        String told = run(file).out();
        JsonNode unused = JSON.readTree(run(file, "--json").out()).get("faultsThatStruckNothing");
        assertThat(unused)
                .extracting(JsonNode::asText)
                .containsExactly("drop the 7th RNR", "no receive for 1 messages to b/qp99 from 1 ns on");
        assertThat(unused)
                .allSatisfy(words -> assertThat(told).containsOnlyOnce("unused  " + words.asText() + ": armed, but"));
        assertThat(folder.resolve("report.html"))
                .as("the report names them, too")
                .content()
                .contains("drop the 7th RNR: armed, but never injected");
    }

    @Test
    void theEndsOfTaggedMessagesAreReported() throws IOException {
        Path file = SCENARIOS.resolve("43-tag-rendezvous-left.conf");
        String reason =
                "receive for tag 0x1: EINVAL: the message of 1500 bytes is longer than the receive's buffer of 1024 bytes";
        assertThat(run(file).out())
                .contains("app reports a failure: " + reason, "failed  1 x " + reason)
                .contains("holds   sends DONE 1, WAITING 1");
        JsonNode told = JSON.readTree(run(file, "--json").out());
        assertThat(told.at("/sends/WAITING").asInt()).isEqualTo(1);
        assertThat(told.at("/arrivals/FAILED").asInt()).isEqualTo(2);
        assertThat(told.get("failed").get(reason).asInt()).isEqualTo(1);
        CommandRun copied = run(SCENARIOS.resolve("45-tag-out-of-step.conf"));
        assertThat(copied.out()).contains("b, tagged messages: copied-bytes 70, synchronizations 2\n");
    }

    @Test
    void aScenarioRunsOnAnAdapterWithMinimalLimits() throws IOException {
        Path file = Files.writeString(folder.resolve("tiny.conf"), """
                title = "little of everything"
                adapters { a { profile = tiny }, b { profile = tiny } }
                objects  { pair { type = rc, between = [a, b], rd-atomic = 1 } }
                traffic  = [ { on = pair, fetch-add = 8, times = 3 }, { on = pair, send = 4KiB } ]
                expect   = [ { completions { success = 4 } }, no-stall ]
                """);
        CommandRun run = run(file);
        assertThat(run.status()).as(run.out() + run.err()).isZero();
    }

    @Test
    void pagingCountersAreReportedAndCanBeExpected() throws IOException {
        CommandRun run = run(SCENARIOS.resolve("26-pages-on-demand.conf"));
        assertThat(run.out())
                .contains("b: duplicate_request 1, num_invalidation_pages 1, num_invalidations 1")
                .contains("num_page_faults 2")
                .contains("holds   counters b.num_page_faults 2");
        String text =
                Files.readString(SCENARIOS.resolve("26-pages-on-demand.conf")).replace("faults = 2", "faults = 3");
        CommandRun wrong = run(Files.writeString(folder.resolve("three.conf"), text));
        assertThat(wrong.status()).isEqualTo(1);
        assertThat(wrong.out()).contains("FAILS   counters b.num_page_faults 3: 2");
    }

    @Test
    void aLadderNeverOmitsFewerThanNineLines() throws IOException {
        for (int messages = 1; messages <= 15; messages++) {
            CommandRun run = run(scenario("receives = 0", "write = 64, times = " + messages, ""));
            assertThat(run.out()).doesNotContainPattern("\\.\\.\\. [1-8] more lines");
        }
    }

    @Test
    void anUnmetExpectationIsReportedWithTheReason() throws IOException {
        String text =
                Files.readString(SCENARIOS.resolve("07-wrong-key.conf")).replace("rem-access-err = 1", "success = 1");
        CommandRun run = run(Files.writeString(folder.resolve("hopeful.conf"), text));
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out())
                .contains("FAILS   completions SUCCESS 1: {REM_ACCESS_ERR=1}")
                .contains("because b/qp17: R_Key 0x000bad00 is not registered");
    }

    @Test
    void theSameSeedWritesTheSameBytes(@TempDir Path again) throws IOException {
        Path file = SCENARIOS.resolve("12-bad-cable.conf");
        run(file, "--seed", "9");
        CommandRun.of("run", file.toString(), "--seed", "9", "--out", again.toString());
        for (String name : List.of("trace.rlog", "packets.pcapng", "ladder.txt")) {
            assertThat(again.resolve(name)).hasSameBinaryContentAs(folder.resolve(name));
        }
    }

    @Test
    void jsonIsOneDocument() throws IOException {
        JsonNode told = JSON.readTree(
                run(SCENARIOS.resolve("03-lost-acknowledgement.conf"), "--json").out());
        assertThat(told.get("holds").asBoolean()).isTrue();
        assertThat(told.get("completions").get("SUCCESS").asInt()).isEqualTo(1);
        assertThat(told.get("counters").get("b").get("duplicate_request").asInt())
                .isEqualTo(1);
        assertThat(told.get("expectations")).hasSizeGreaterThan(4);
    }

    @Test
    void monstrousTextIsRefusedInOneLine() throws IOException {
        String doubling = "a0 = [1]\n";
        for (int i = 0; i < 40; i++) {
            doubling += "a" + (i + 1) + " = ${a" + i + "} ${a" + i + "}\n";
        }
        for (String text : List.of("[".repeat(100_000), "a.".repeat(50_000) + "b = 1", doubling)) {
            CommandRun run = run(Files.writeString(folder.resolve("monster.conf"), text));
            assertThat(run.status()).isEqualTo(2);
            assertThat(run.err()).startsWith("hca: ").contains("monster.conf:").hasLineCount(1);
        }
    }

    @Test
    void aCrashIsReportedByItsEffectsWithoutAStackTrace() {
        CommandRun run = run(SCENARIOS.resolve("17-crash.conf"));
        assertThat(run.status()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("! crash b/qp-17").doesNotContain("\tat ");
    }

    private Path scenario(String objects, String traffic, String more) throws IOException {
        return Files.writeString(
                folder.resolve("own.conf"),
                "title = t\nadapters { a {}, b { profile = soft-roce } }\nobjects { pair { type = rc, between = [a, b], "
                        + objects + " } }\ntraffic = [ { on = pair, " + traffic + " } ]\n" + more + "\n");
    }

    @Test
    void aWaitThatNeverEndsIsReported() throws IOException {
        Path file = scenario("timeout = 0", "write = 64, wait = true", "faults = [ drop ], expect = [ no-stall ]");
        CommandRun run = run(file);
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains("BROKEN  stalled at")
                .contains("FAILS   no-stall: request 1 of a/qp17")
                .contains("local ACK timeout is 0: the requester waits for an answer without a limit");
    }

    @Test
    void aVerbRefusedByAnAdapterIsReportedInOneLine() throws IOException {
        CommandRun run = run(scenario("cq-entries = 65535", "write = 64", ""));
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err().lines()).singleElement().asString().contains("an adapter refused a verb: EINVAL");
    }

    // rule pages-variables
    @Test
    void ignoredVariablesAreReportedAtTheEnd() throws IOException {
        Path file = Files.writeString(
                folder.resolve("typed.conf"),
                "title = t\nadapters { a { environment { MLX_QP_ALLOC_TYPE = HUGH } }, b {} }\n"
                        + "objects { pair { type = rc, between = [a, b] } }\ntraffic = [ { on = pair, write = 64 } ]\n");
        CommandRun run = run(file);
        assertThat(run.status()).isZero();
        assertThat(run.out())
                .containsOnlyOnce("ignored a: MLX_QP_ALLOC_TYPE of app is ignored: HUGH; ANON, HUGE, CONTIG,");
    }

    static List<Path> wrong() throws IOException {
        try (Stream<Path> files = Files.list(WRONG)) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void aWrongFileIsRefusedInOneLine(Path file) throws IOException {
        CommandRun run = run(file);
        String expected = Files.readAllLines(file).getFirst().substring(2);
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines())
                .singleElement()
                .asString()
                .isEqualTo("hca: " + file + ":" + expected + " (try: hca run --help)");
    }

    @Test
    void aMissingOrBinaryFileIsRefusedInOneLine() throws IOException {
        assertThat(run(Path.of("no-such.conf")).err()).startsWith("hca: cannot read no-such.conf");
        Path binary = Files.write(folder.resolve("binary.conf"), new byte[] {(byte) 0xFF, (byte) 0xFE, 0, 1});
        CommandRun run = run(binary);
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("is not a text in UTF-8");
    }
}
