// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.hcaactors.fabric.capture.CaptureReader;
import org.hcaactors.fabric.capture.CapturedFrame;
import org.hcaactors.fabric.wire.Decoded;
import org.hcaactors.fabric.wire.FrameDecoder;
import org.hcaactors.fabric.wire.LinkLayer;
import org.hcaactors.judge.sweep.MixedTraffic;
import org.hcaactors.judge.sweep.Sweep;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.flow.PacketCapture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.OptionSpec;

class HcaTest {
    private static final Path CAPTURES = Path.of("../../fabric/packet/src/test/resources/captures");
    private static final ObjectMapper JSON = new ObjectMapper();

    static List<Path> captures() throws IOException {
        try (Stream<Path> files = Files.list(CAPTURES)) {
            return files.filter(f -> f.toString().endsWith(".pcap")).sorted().toList();
        }
    }

    @Test
    void soakComparesWhatIsHeldInTheEndWithTheBeginning() throws IOException {
        CommandRun run = CommandRun.of("soak", "--for", "1s", "--json");
        JsonNode told = JSON.readTree(run.out());
        assertThat(told.has("failed")).as(run.err()).isFalse();
        assertThat(told.get("rounds").asLong()).isGreaterThan(org.hcaactors.judge.soak.Soak.WARM_UP);
        assertThat(told.get("secondsAsked").asInt()).isEqualTo(1);
        assertThat(told.get("secondsPlayed").asDouble()).isGreaterThanOrEqualTo(1);
        assertThat(told.get("interrupted").asBoolean()).isFalse();
        assertThat(told.get("ended").get("threads").asInt()).isPositive();
        assertThat(run.status()).isEqualTo(told.get("grown").isEmpty() ? 0 : 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"20", "1 hour", "-3s", "0s", "999999999h"})
    void soakTakesTimesAsTheyAreTyped(String time) {
        CommandRun run = CommandRun.of("soak", "--for", time);
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("--for").hasLineCount(1);
    }

    @ParameterizedTest
    @MethodSource("captures")
    void dissectTellsWhatTheIndependentDecoderReads(Path capture) throws IOException {
        CommandRun run = CommandRun.of("dissect", "--json", capture.toString());
        assertThat(run.status()).isZero();
        List<String> expected = Files.readAllLines(Path.of(capture.toString().replace(".pcap", ".expected.jsonl")));
        List<String> lines = run.out().lines().toList();
        assertThat(lines).hasSameSizeAs(expected);
        for (int i = 0; i < lines.size(); i++) {
            JsonNode got = JSON.readTree(lines.get(i));
            for (Map.Entry<String, JsonNode> field :
                    JSON.readTree(expected.get(i)).properties()) {
                assertThat(text(got.get(field.getKey())))
                        .as("%s line %d, %s", capture.getFileName(), i + 1, field.getKey())
                        .isEqualTo(text(field.getValue()));
            }
        }
    }

    /** Numbers and strings of the same digits count as the same. */
    private static String text(JsonNode node) {
        return node.isObject() ? node.toString().replace("\"", "") : node.asText();
    }

    @Test
    void dissectPrintsOneLineAPacket() {
        CommandRun run =
                CommandRun.of("dissect", CAPTURES.resolve("op_bad_rkey.pcap").toString());
        assertThat(run.out().lines()).hasSize(2);
        assertThat(run.out()).contains("RC WRITE_ONLY psn").contains("NAK remote access");
    }

    // rule wire-xrc-requests
    @Test
    void dissectNamesTheSharedReceiveQueueOfARequestOverXrc() throws IOException {
        String capture = CAPTURES.resolveSibling("made/xrc.pcap").toString();
        CommandRun run = CommandRun.of("dissect", capture);
        assertThat(run.out().lines()).hasSize(25).noneMatch(line -> line.contains("BAD ICRC"));
        assertThat(run.out())
                .contains(
                        "XRC SEND_ONLY psn 104 srq 43981 4 B ackreq",
                        "XRC READ_REQUEST psn 112 srq 43981 len 4 ackreq",
                        "XRC ACK psn 117 msn 3",
                        "XRC MASKED_FETCH_ADD psn 124 size 8 srq 43981 16 B ackreq");
        JsonNode send = JSON.readTree(CommandRun.of("dissect", "--json", capture)
                .out()
                .lines()
                .findFirst()
                .orElseThrow());
        assertThat(send.get("opcodeName").asText()).isEqualTo("XRC_SEND_FIRST");
        assertThat(send.get("xrcSrq").asInt()).isEqualTo(0xABCD);
    }

    // rules wire-dc-header, wire-dc-connect, wire-dc-cnak
    @Test
    void dissectNamesTheSessionOfAPacketOfDcAndWhoOpensIt() throws IOException {
        String capture = CAPTURES.resolveSibling("made/dc.pcap").toString();
        CommandRun run = CommandRun.of("dissect", capture);
        assertThat(run.out().lines()).hasSize(30).noneMatch(line -> line.contains("BAD ICRC"));
        assertThat(run.out())
                .containsSubsequence(
                        "DC CONNECT psn 98 from qp 34 key 0x123456789abcdef ackreq",
                        "DC CNAK psn 98\n",
                        "DC CONNECT psn 99 session 257 from qp 34 again key 0x123456789abcdef ackreq",
                        "DC ACK psn 99 session 257 full handshake msn 0",
                        "DC SEND_ONLY psn 104 session 257 4 B ackreq",
                        "DC READ_RESPONSE_ONLY psn 116 session 257 msn 3 4 B",
                        "DC MASKED_FETCH_ADD psn 124 size 8 session 257 16 B ackreq",
                        "DC DISCONNECT psn 125 session 257 ackreq");
        List<String> lines =
                CommandRun.of("dissect", "--json", capture).out().lines().toList();
        JsonNode connect = JSON.readTree(lines.get(2));
        assertThat(connect.get("opcodeName").asText()).isEqualTo("DC_CONNECT");
        assertThat(connect.get("dcEth"))
                .hasToString("{\"version\":1,\"fullHandshake\":0,\"session\":257,\"channel\":0,\"sender\":34}");
        assertThat(connect.get("dcConnectEth"))
                .hasToString("{\"reconnect\":1,\"reverseSl\":3,\"nextPsn\":100,\"accessKey\":\"81985529216486895\"}");
        JsonNode disconnect = JSON.readTree(lines.getLast());
        assertThat(disconnect.get("opcodeName").asText()).isEqualTo("DC_DISCONNECT");
        assertThat(disconnect.get("solicited").asInt()).isEqualTo(1);
    }

    @Test
    void dissectReportsWhatIsNoPacketAndGoesOn(@TempDir Path folder) throws IOException {
        byte[] capture = Files.readAllBytes(CAPTURES.resolve("op_atomics.pcap"));
        capture[24 + 16 + 12] = 0x08;
        capture[24 + 16 + 13] = 0x06;
        Path damaged = Files.write(folder.resolve("damaged.pcap"), java.util.Arrays.copyOf(capture, 300));
        CommandRun run = CommandRun.of("dissect", damaged.toString());
        assertThat(run.status()).isZero();
        assertThat(run.out()).contains("not RoCE: ethertype 0x0806").contains("ATOMIC_ACKNOWLEDGE");
        assertThat(run.err()).contains("breaks off after frame 2");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "dissect /nowhere | can't read /nowhere",
                "dissect pom.xml | neither pcap nor pcapng",
                "dissect | Missing required parameter: 'FILE'",
                "nonsense | nonsense",
                "help nonsense | nonsense",
                "pingpong --transport xx | rc, uc, ud, xrc, dc, srq are allowed",
                "pingpong --transport ud --size 5000 | 0 to 4096 is allowed",
                "pingpong -q 3 | goes with --transport srq only",
                "pingpong --transport xrc -q 3 | goes with --transport srq only",
                "pingpong -c 3 | goes with --transport xrc only",
                "pingpong --transport xrc -c 65 | 1 to 64 is allowed",
                "perf | Missing required parameter: 'TEST'",
                "perf read_bw --transport ud | ud carries no read",
                "perf atomic_bw -s 4 | atomics have 8 bytes",
                "perf send_lat -n 1000000 -q 64 | 1 to 62500 is allowed",
                "devinfo -d nothing | there are [mlx5_0, mlx5_1, mlx5_2, ",
                "devinfo -i 2 | only 1 is allowed",
                "pingpong --mtu 1000 | 256, 512, 1024, 2048 and 4096 are allowed",
                "pingpong --mtu x | 256, 512, 1024, 2048 and 4096 are allowed",
                "sweep --seed 9223372036854775807 --seeds 2 | the last seed is 9223372036854775807, so 1 to 1 is allowed",
                "sweep --shrink --unwatched | leave out one",
                "flow --from 3 --to 2 nowhere | it must not end before it begins",
                "flow --from NaN nowhere | --from is NaN; a number of at least 0 is allowed",
                "demo --out /proc/nowhere | can't write to /proc/nowhere"
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
    void everyOptionThatIsANumberRefusesWhatItDoesNotTakeAndSaysWhatItTakes(OptionSpec option) {
        Allowed allowed = Ranges.allowed(option).orElseThrow();
        List<String> wrong = new ArrayList<>(List.of("x", "", "99999999999999999999x"));
        if (option.type() != Double.class) {
            wrong.add("99999999999999999999");
            wrong.add("1.5");
        }
        if (allowed.least() > Long.MIN_VALUE) {
            wrong.add(Long.toString(allowed.least() - 1));
        }
        if (allowed.most() < Long.MAX_VALUE) {
            wrong.add(Long.toString(allowed.most() + 1));
        }
        for (String value : wrong) {
            List<String> line = new ArrayList<>(List.of(option.command().name(), option.longestName(), value));
            if (!option.command().positionalParameters().isEmpty()) {
                line.add(option.command().name().equals("perf") ? "send_bw" : "nowhere");
            }
            CommandRun run = CommandRun.of(line.toArray(String[]::new));
            assertThat(run.status()).as(value).isEqualTo(2);
            assertThat(run.err())
                    .startsWith("hca: " + option.longestName() + " is ")
                    .contains("allowed")
                    .hasLineCount(1);
        }
    }

    @Test
    void theLastSeedOfAllIsSwept() throws IOException {
        JsonNode told = JSON.readTree(CommandRun.of("sweep", "--seed", "9223372036854775806", "--seeds", "2", "--json")
                .out());
        assertThat(told.get("seeds").asInt()).isEqualTo(2);
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
    void whoSaysNoCommandIsToldThemAll() {
        CommandRun run = CommandRun.of();
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("demo", "pingpong", "dissect", "conform", "help");
    }

    @Test
    void theDemoHoldsAndTellsItsSteps(@TempDir Path folder) throws IOException {
        CommandRun text = CommandRun.of("demo", "--out", folder.toString());
        assertThat(text.status()).isZero();
        assertThat(text.out())
                .contains(
                        "WRITE_MIDDLE psn 113",
                        "dropped by \"drop the 1st RC_WRITE_MIDDLE\"",
                        "RNR 0.03 ms",
                        "REM_ACCESS_ERR",
                        "hca explain and hca flow: " + folder.resolve("trace.rlog"))
                .containsSubsequence(
                        "-- WRITE to a region, registered anew", "is registered anew: 8192 bytes", "posts 301")
                .containsSubsequence(
                        "-- WRITE to pages on demand, which are cold",
                        "can't: no page is at",
                        "RNR 1.28 ms",
                        "2 pages of key",
                        "goes back to psn",
                        "-- WRITE to the same pages, which are warm",
                        "-- READ into pages that are cold",
                        "ignores READ_RESPONSE",
                        "a page is there for the response",
                        "-- 1 MiB, with bob's memory in pieces",
                        "stands on 32 CONTIG pages of 32 KiB",
                        "ENOMEM for app",
                        "-- its buffer before bob polls",
                        "-- its buffer when bob has polled",
                        "13 bytes copied to",
                        "alice                                               carol\n",
                        "alice                                               dave                      dave's host\n",
                        "! set IBM_AS_NOTIFY_EN=True(1): from the next start on",
                        "event DEVICE_FATAL of 0: its slot was power-cycled",
                        "-- SEND that wakes dave's thread",
                        "▶ waiter1, which waits",
                        "✗ MSI fallback, the host's notify unit is off",
                        "-- and why, in words\ndave/cq",
                        " holds 1 completion that nobody fetched\n",
                        "it must poll once more after it arms\n  because dave/waiter1 waits since ",
                        "-- SEND behind one to an empty queue",
                        "can't: its shared receive queue is empty",
                        "can't: its XRC domain has no shared receive queue 99",
                        "fetches 6000 bytes for receive 3 by itself",
                        "a message was faster than its deletion")
                .doesNotContain("EXPECTED", "RESET to INIT");
        JsonNode json = JSON.readTree(
                CommandRun.of("demo", "--json", "--out", folder.toString()).out());
        assertThat(json.get("steps")).hasSize(71);
        for (JsonNode step : json.get("steps")) {
            assertThat(step.get("got")).isEqualTo(step.get("expected"));
        }
        assertThat(json.at("/counters/alice/packet_seq_err").asInt()).isEqualTo(1);
    }

    @Test
    void theDemosCaptureIsReadBackWithEveryIcrcRight(@TempDir Path folder) throws IOException {
        CommandRun.of("demo", "--out", folder.toString());
        int packets = 0;
        try (CaptureReader reader = CaptureReader.open(folder.resolve("packets.pcapng"))) {
            for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                CapturedFrame frame = next.get();
                packets++;
                assertThat(FrameDecoder.decode(frame.bytes().toArray(), LinkLayer.ETHERNET))
                        .isInstanceOfSatisfying(
                                Decoded.Frame.class,
                                d -> assertThat(d.frame().icrcOk()).isTrue());
                assertThat(frame.comments().getFirst()).startsWith("event ");
            }
        }
        assertThat(packets).as("180 sent, 177 delivered").isEqualTo(357);
    }

    @Test
    void theSameSeedWritesTheSameBytesInTwoJvms(@TempDir Path folder) throws IOException, InterruptedException {
        for (String run : List.of("one", "two")) {
            inAnotherJvm("demo", "--seed", "77", "--out", folder.resolve(run).toString());
            inAnotherJvm(
                    "sweep",
                    "--seeds",
                    "1",
                    "--seed",
                    "77",
                    "--swarm",
                    "disaster",
                    "--out",
                    folder.resolve("sweep-" + run).toString());
        }
        for (String file : List.of("packets.pcapng", "ladder.txt")) {
            assertThat(folder.resolve("sweep-one").resolve(file))
                    .hasSameBinaryContentAs(folder.resolve("sweep-two").resolve(file));
        }
        for (String file : List.of("report.html", "packets.pcapng", "ladder.txt", "ladder.mmd")) {
            assertThat(folder.resolve("one").resolve(file))
                    .hasSameBinaryContentAs(folder.resolve("two").resolve(file));
        }
    }

    private static void inAnotherJvm(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Hca.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void fiftyWorldsOfOneSeedWriteTheSameCaptureWithAndWithoutFaults() throws IOException {
        for (boolean faults : List.of(false, true)) {
            byte[] first = capture(9, faults);
            for (int i = 1; i < 50; i++) {
                assertThat(capture(9, faults)).as("world %d", i).isEqualTo(first);
            }
            assertThat(capture(10, faults)).as("another seed").isNotEqualTo(first);
        }
    }

    /** The demo's scenario, or mixed traffic under the faults that the seed draws. */
    private static byte[] capture(long seed, boolean faults) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (World world = World.of(seed)) {
            if (faults) {
                world.faults().arm(Sweep.of(1).with(Swarm.DISASTER).plan(seed));
                MixedTraffic.run(world);
            } else {
                new RcTour(world).run();
            }
            PacketCapture.write(world.trace().events(), bytes);
        }
        return bytes.toByteArray();
    }

    @Test
    void sweepCountsPacketsAndLeavesPicturesOfASingleSeed(@TempDir Path folder) throws IOException {
        JsonNode told = JSON.readTree(CommandRun.of("sweep", "--seeds", "4", "--swarm", "disaster", "--json")
                .out());
        assertThat(told.get("packets").asLong()).isGreaterThan(1000);
        assertThat(told.get("failures")).isEmpty();
        assertThat(told.at("/struck/crash").asLong()).as("one a seed at most").isBetween(1L, 4L);
        CommandRun one = CommandRun.of("sweep", "--seeds", "1", "--seed", "3", "--out", folder.toString());
        assertThat(one.status()).as(one.err()).isZero();
        assertThat(folder.resolve("ladder.txt")).isNotEmptyFile();
        assertThat(folder.resolve("packets.pcapng")).isNotEmptyFile();
        assertThat(folder.resolve("trace.rlog")).isNotEmptyFile();
        assertThat(one.out()).containsPattern("faults      [0-9]+ \\([a-z]+ [0-9]+, ");
        assertThat(one.out()).contains(folder + "/{report.html, ladder.txt, ladder.mmd, packets.pcapng, trace.rlog}");
        assertThat(CommandRun.of("sweep", "--swarm", "locusts").status()).isEqualTo(2);
    }

    @Test
    void picturesOfOneSeedAreNotOverwrittenByThoseOfAnother() {
        for (int seed : List.of(5, 6)) {
            Path folder = Path.of("target", "hca-sweep", "wire-mixed-seed-" + seed);
            CommandRun run = CommandRun.of("sweep", "--seeds", "1", "--seed", Integer.toString(seed));
            assertThat(run.out()).contains("pictures    " + folder + "/{");
            assertThat(folder.resolve("ladder.txt")).isNotEmptyFile();
        }
    }

    @Test
    void pingpongPlaysInRealAndInVirtualTime() throws IOException {
        JsonNode real =
                JSON.readTree(CommandRun.of("pingpong", "--json", "-n", "200").out());
        assertThat(real.get("bytes").asLong()).isEqualTo(200L * 2 * 4096);
        CommandRun one = CommandRun.of("pingpong", "--seed", "5", "-n", "50");
        assertThat(one.status()).isZero();
        assertThat(one.out())
                .isEqualTo(CommandRun.of("pingpong", "--seed", "5", "-n", "50").out());
        assertThat(one.out().getBytes(StandardCharsets.UTF_8)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc", "uc", "ud", "srq", "xrc", "xrc -c 4"})
    void pingpongPlaysOverEveryTransport(String transport) throws IOException {
        CommandRun run = CommandRun.of(("pingpong --seed 7 -n 10 --json --transport " + transport).split(" "));
        assertThat(run.status()).as(run.err()).isZero();
        JsonNode told = JSON.readTree(run.out());
        int bytes = transport.equals("ud") ? 2048 : 4096;
        int rounds = transport.equals("srq") ? 160 : transport.equals("xrc -c 4") ? 40 : 10;
        assertThat(told.get("bytes").asLong()).isEqualTo(2L * bytes * rounds);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "send_bw --transport rc",
                "send_bw --transport uc",
                "send_bw --transport ud",
                "send_bw --transport srq",
                "send_bw --transport xrc",
                "send_lat --transport ud",
                "write_bw --transport uc",
                "write_lat",
                "read_bw",
                "read_lat",
                "atomic_bw",
                "atomic_lat",
                "send_bw -q 3 --on-adapter-thread"
            })
    void perfMeasuresEveryVerbBesideTheFloor(String line) throws IOException {
        CommandRun run = CommandRun.of(("perf " + line + " -n 200 -w 100 --json").split(" "));
        assertThat(run.status()).as(run.err()).isZero();
        JsonNode told = JSON.readTree(run.out());
        assertThat(told.get("iterations").asLong()).isEqualTo(line.contains("-q 3") ? 600 : 200);
        assertThat(told.get("timesFloor").asDouble()).isPositive();
        assertThat(CommandRun.of(("perf " + line + " -n 200 -w 100").split(" ")).out())
                .contains("#bytes", "times as many a second as that floor");
    }

    @Test
    void devinfoIsLaidOutAsTheToolDoes(@TempDir Path settings) throws IOException {
        String dir = "--dir=" + settings;
        assertThat(CommandRun.of("devinfo", dir, "-l").out())
                .isEqualTo("9 HCAs found:\n\tmlx5_0\n\tmlx5_1\n\tmlx5_2\n\tmlx5_3\n\tmlx5_4\n\trxe0\n"
                        + "\tno_atomics0\n\ttiny0\n\tmlx4_0\n\n");
        assertThat(CommandRun.of("devinfo", dir, "-d", "mlx5_0", "-v").out())
                .startsWith("hca_id:\tmlx5_0\n\ttransport:\t\t\tInfiniBand (0)\n")
                .contains(
                        "\tvendor_part_id:\t\t\t4119\n",
                        "\tqp_caps:\n\t\tmax_qp_wr:\t\t\t\t32768\n",
                        "\t\tXRC:\t\t\t\t\tyes\n",
                        "\tatomic_caps:\n\t\tatomic_cap:\t\t\t\tATOMIC_HCA (1)\n",
                        "\tmr_caps:\n",
                        "\todp_caps:\n\t\tgeneral_odp_caps:\t\t\tODP_SUPPORT ODP_SUPPORT_IMPLICIT\n",
                        "\t\tuc_odp_caps:\t\t\t\tNO SUPPORT\n\t\tud_odp_caps:\t\t\t\tSUPPORT_SEND\n",
                        "\t\tALLOCATION:\t\t\t\tyes\n",
                        "\thost:\n\t\tplatform:\t\t\t\tx86\n\thost_memory:\n\t\tnode0_free_bytes:\t\t\t1099511627776\n"
                                + "\t\tnode0_largest_log2_bsize:\t\t23\n\t\tnode0_free_hugepages:\t\t\t0\n",
                        "\tquirks:\n\t\tsets_mig_req:\t\t\t\tyes\n\t\tretry_seven_is_forever:\t\t\tno\n",
                        "\t\tport:\t1\n\t\t\tstate:\t\t\tPORT_ACTIVE (4)\n",
                        "\t\t\tGID[  0]:\t\t::ffff:10.0.0.1, RoCE v2\n");
        JsonNode json = JSON.readTree(CommandRun.of("devinfo", dir, "--json").out());
        assertThat(json).hasSize(9);
        assertThat(json.get(0).at("/port/active_mtu").asText()).isEqualTo("4096 (5)");
        JsonNode everything =
                JSON.readTree(CommandRun.of("devinfo", dir, "--json", "-v").out());
        assertThat(everything.get(5).at("/cq_caps/max_cqe").asText()).isEqualTo("32767");
    }

    // rule xrc-supported
    @Test
    void devinfoSaysWhichAdaptersHaveXrc(@TempDir Path settings) throws IOException {
        JsonNode adapters = JSON.readTree(
                CommandRun.of("devinfo", "--dir=" + settings, "--json", "-v").out());
        List<String> without = new ArrayList<>();
        for (JsonNode adapter : adapters) {
            if (adapter.at("/srq_caps/XRC").asText().equals("no")) {
                without.add(adapter.get("hca_id").asText());
            }
        }
        assertThat(without).containsExactly("rxe0", "tiny0");
    }

    // rules dc-generations, dc-streams-there
    @Test
    void devinfoSaysWhichAdaptersConnectDynamicallyAndHow(@TempDir Path settings) throws IOException {
        JsonNode adapters = JSON.readTree(
                CommandRun.of("devinfo", "--dir=" + settings, "--json", "-v").out());
        List<String> told = new ArrayList<>();
        for (JsonNode adapter : adapters) {
            JsonNode group = adapter.get("dc_caps");
            if (group.get("DC_TRANSPORT").asText().equals("yes")) {
                told.add(adapter.at("/vendor_part_id").asText() + " v"
                        + group.get("dc_version").asText() + ", streams "
                        + group.get("max_log_num_concurent").asText());
            } else {
                assertThat(group.get("max_dc_rd_atom").asText()).isEqualTo("0");
                assertThat(group.get("dc_version").asText()).isEqualTo("none");
            }
        }
        assertThat(told)
                .containsExactlyInAnyOrder(
                        "4113 v0, streams 0",
                        "4115 v0, streams 0",
                        "4119 v1, streams 0",
                        "4121 v1, streams 0",
                        "4123 v1, streams 5",
                        "0 v1, streams 0");
        assertThat(adapters.get(0).at("/odp_caps/dc_odp_caps").asText())
                .isEqualTo("SUPPORT_SEND SUPPORT_RECV SUPPORT_WRITE SUPPORT_READ SUPPORT_ATOMIC SUPPORT_SRQ");
    }

    // rules paging-counters, paging-gauges, paging-statistics, paging-histogram
    @Test
    void pagingIsMeasuredAndTheFilesOfAKernelAreServedUnderBothOfTheirNames() throws IOException {
        String sys = "/sys/class/infiniband_verbs/uverbs0/";
        String debug = "/sys/kernel/debug/mlx5/0000:04:00.0/odp_stats/";
        assertThat(CommandRun.of("paging", "-s", "1000000").out())
                .contains(
                        "  cold ",
                        "  prefetched ",
                        "(cold, warm, evicted): page_faults 490, page_invalidations 245, page_prefetch 0",
                        "(prefetched): page_faults 0, page_invalidations 0, page_prefetch 245",
                        sys + "num_page_faults: ",
                        "/sys/class/infiniband_verbs/uverbs1/num_page_faults: 0",
                        debug + "num_odp_mr_pages: only root reads it");
        assertThat(CommandRun.of(
                                "paging",
                                "-s",
                                "1000000",
                                "--as-root",
                                sys + "num_prefetches_handled",
                                sys + "num_prefetchs_handled",
                                sys + "num_prefetch_pages",
                                debug + "num_prefetch",
                                debug + "num_odp_mrs")
                        .out())
                .isEqualTo("1\n1\n245\n1\n3\n");
        assertThat(CommandRun.of("paging", "-s", "5000", debug + "odp_hist").err())
                .contains("odp_hist: permission denied; only root reads it");
        assertThat(CommandRun.of("paging", "-s", "5000", "--as-root", debug + "odp_hist")
                        .out())
                .containsPattern("\\d+\\.\\.\\d+ us: \\d");
        assertThat(CommandRun.of("paging", "-s", "5000", sys + "num_faults").err())
                .contains("num_faults: no such file");
        JsonNode told =
                JSON.readTree(CommandRun.of("paging", "-s", "1000000", "--json").out());
        JsonNode writes = told.get("writes");
        assertThat(writes.findValuesAsText("region"))
                .containsExactly("none: pinned", "cold", "warm", "evicted", "prefetched", "implicit, cold");
        assertThat(writes.get(2).get("nanos"))
                .as("warm as pinned")
                .isEqualTo(writes.get(0).get("nanos"));
        assertThat(writes.get(4).get("nanos"))
                .as("prefetched, too")
                .isEqualTo(writes.get(0).get("nanos"));
        assertThat(writes.get(1).get("nanos").asLong())
                .isGreaterThan(writes.get(0).get("nanos").asLong());
        assertThat(writes.get(3).get("nanos").asLong())
                .as("reading back takes longest")
                .isGreaterThan(writes.get(1).get("nanos").asLong());
    }
}
