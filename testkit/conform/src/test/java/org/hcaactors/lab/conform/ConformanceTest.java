// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.hcaactors.fabric.packet.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Our machines against every capture of real traffic. */
class ConformanceTest {
    private static final Path CAPTURES = Path.of("../../fabric/packet/src/test/resources/captures");

    @TempDir
    Path folder;

    static List<Path> captures() throws IOException {
        try (Stream<Path> files = Files.walk(CAPTURES)) {
            return files.filter(file ->
                            file.toString().endsWith(".pcap") || file.toString().endsWith(".pcapng"))
                    .sorted()
                    .toList();
        }
    }

    private static int sum(Map<?, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    @Test
    void xrcIsReportedAsNotCompared() throws IOException {
        Conformance.Report report = Conformance.of(Path.of("../../fabric/packet/src/test/resources/made/xrc.pcap"));
        assertThat(report.outOfScope()).containsExactly(Map.entry("XRC", 25));
        assertThat(report.packets()).isZero();
    }

    @Test
    void dcIsReportedAsNotCompared() throws IOException {
        Conformance.Report report = Conformance.of(Path.of("../../fabric/packet/src/test/resources/made/dc.pcap"));
        assertThat(report.outOfScope()).containsExactly(Map.entry("DC", 30));
        assertThat(report.packets()).isZero();
    }

    // rules wire-no-credits, rc-ack, rc-msn, wire-syndrome, wire-fetch-add-operand
    @ParameterizedTest
    @MethodSource("captures")
    void everythingMatchesOrFallsUnderANamedDifference(Path capture) throws IOException {
        Conformance.Report report = Conformance.of(capture);
        Comparison verdict = report.verdict();
        assertThat(verdict.mismatches()).isEmpty();
        assertThat(verdict.matched() + sum(verdict.differences()))
                .as("each that is judged is counted once")
                .isEqualTo(verdict.compared());
        String name = capture.getFileName().toString();
        if (name.equals("cm_reject.pcap")) {
            assertThat(report.management().messages()).isEqualTo(2);
            assertThat(verdict.compared()).isZero();
        } else {
            assertThat(verdict.compared()).isGreaterThanOrEqualTo(report.packets());
        }
        if (!name.startsWith("netem") && !name.startsWith("loss") && !name.startsWith("op_mw2")) {
            assertThat(verdict.differences()).isEmpty();
        }
        if (!name.startsWith("netem")
                && !name.startsWith("loss")
                && !name.startsWith("op_mw2")
                && !name.equals("rnr_theirs.pcapng")) {
            assertThat(verdict.lacking())
                    .as("rc_pingpong holds a needless retransmission of Soft-RoCE")
                    .isEqualTo(name.equals("rc_pingpong.pcap") ? Map.of(Difference.LOST_BEFORE, 2) : Map.of());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "op_send_sizes",
                "op_write_sizes",
                "op_read_sizes",
                "op_atomics",
                "op_write_imm",
                "op_srq",
                "op_bad_rkey",
                "op_rnr_exhausted",
                "rc_pingpong_event",
                "send_bw",
                "read_bw",
                "rping"
            })
    void everyChangedAnswerIsCaught(String name) throws IOException {
        Path capture = CAPTURES.resolve(name + ".pcap");
        for (CapturedPacket packet : CapturedTraffic.read(capture, true).packets()) {
            if (!packet.isResponse()) {
                continue;
            }
            int frame = packet.frame();
            caught(
                    new ChangedCapture(capture)
                            .flip(frame, ChangedCapture.PSN_LAST_BYTE, 0)
                            .withRightIcrc(frame),
                    frame);
            if (packet.packet().operation() != Operation.READ_RESPONSE_MIDDLE) {
                caught(
                        new ChangedCapture(capture)
                                .flip(frame, ChangedCapture.SYNDROME, 5)
                                .withRightIcrc(frame),
                        frame);
                caught(
                        new ChangedCapture(capture)
                                .flip(frame, ChangedCapture.SYNDROME, 6)
                                .withRightIcrc(frame),
                        frame);
            }
        }
    }

    /** The first number of a capture without notes is given; every other one is judged. */
    @ParameterizedTest
    @ValueSource(strings = {"op_send_sizes", "op_write_sizes", "op_read_sizes", "op_atomics", "op_srq"})
    void everyChangedMessageSequenceNumberIsCaught(String name) throws IOException {
        Path capture = CAPTURES.resolve(name + ".pcap");
        for (CapturedPacket packet : CapturedTraffic.read(capture, true).packets()) {
            boolean numbered = packet.isResponse() && packet.packet().operation() != Operation.READ_RESPONSE_MIDDLE;
            if (numbered) {
                int frame = packet.frame();
                caught(
                        new ChangedCapture(capture)
                                .flip(frame, ChangedCapture.MSN_LAST_BYTE, 0)
                                .withRightIcrc(frame),
                        frame);
            }
        }
    }

    /** A byte that was changed on the way makes the ICRC wrong: the packet would have been missed. */
    @ParameterizedTest
    @ValueSource(strings = {"op_send_sizes", "op_read_sizes", "op_uc_ops", "write_bw", "rping", "ud_pingpong"})
    void everyFlippedPayloadByteIsCaught(String name) throws IOException {
        Path capture = CAPTURES.resolve(name + ".pcap");
        for (CapturedPacket packet : CapturedTraffic.read(capture, true).packets()) {
            int payload = packet.packet().payload().length();
            if (payload > 0) {
                ChangedCapture changed = new ChangedCapture(capture);
                int behind = changed.length(packet.frame())
                        - 4
                        - packet.packet().bth().padCount();
                caught(changed.flip(packet.frame(), behind - 1 - payload / 2, 3), packet.frame());
            }
        }
    }

    /** Where a packet was sent twice, the second one has to say the same, whatever its ICRC says. */
    @Test
    void aResentPayloadThatDiffersIsCaught() throws IOException {
        ChangedCapture changed = new ChangedCapture(CAPTURES.resolve("loss_write_drop13.pcap"));
        caught(changed.flip(52, ChangedCapture.BTH + 40, 2).withRightIcrc(52), 52);
    }

    /** The requester's own packets are judged, too: a PSN out of order, an immediate that no work request holds. */
    @ParameterizedTest
    @ValueSource(strings = {"op_send_sizes", "op_write_imm", "op_uc_ops", "read_bw", "rping"})
    void everyChangedRequestNumberIsCaught(String name) throws IOException {
        Path capture = CAPTURES.resolve(name + ".pcap");
        for (CapturedPacket packet : CapturedTraffic.read(capture, true).packets()) {
            if (!packet.isResponse()) {
                int frame = packet.frame();
                caught(
                        new ChangedCapture(capture)
                                .flip(frame, ChangedCapture.PSN_LAST_BYTE, 0)
                                .withRightIcrc(frame),
                        frame);
            }
        }
    }

    private void caught(ChangedCapture changed, int frame) throws IOException {
        Path file = changed.in(folder);
        assertThat(Conformance.of(file).verdict().mismatches())
                .as("%s with frame %d changed", file.getFileName(), frame)
                .isNotEmpty()
                .allSatisfy(mismatch -> assertThat(mismatch.fields()).isNotEmpty());
    }

    /** Whatever stands in a capture, it is judged. */
    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(strings = {"op_atomics", "op_send_sizes", "op_uc_ops", "rping", "netem_loss_read", "udaddy"})
    void aCaptureOfNonsenseIsCompared(String name) throws IOException {
        SplittableRandom random = new SplittableRandom(7);
        Path capture = CAPTURES.resolve(name + ".pcap");
        int frames = CapturedTraffic.read(capture, true).packets().size();
        for (int i = 0; i < 200; i++) {
            ChangedCapture changed = new ChangedCapture(capture);
            for (int j = 0; j < 3; j++) {
                int frame = 1 + random.nextInt(frames);
                int length = changed.length(frame);
                changed.flip(
                        frame, ChangedCapture.BTH + random.nextInt(length - ChangedCapture.BTH), random.nextInt(8));
                changed.withRightIcrc(frame);
            }
            assertThat(Conformance.of(changed.in(folder)).verdict()).isNotNull();
        }
    }

    /** Our own captures, and those of stacks that forbid fragments, number no packet. */
    @ParameterizedTest
    @ValueSource(strings = {"loss_write_drop13", "loss_read_drop13", "op_rnr_then_ok", "netem_loss_write"})
    void retransmissionsWithoutAnIpIdentificationAreNoDuplicates(String name) throws IOException {
        Path capture = CAPTURES.resolve(name + ".pcap");
        Comparison numbered = Conformance.of(capture).verdict();
        Comparison verdict = Conformance.of(
                        new ChangedCapture(capture).withoutIdentifications().in(folder))
                .verdict();
        assertThat(verdict.mismatches()).isEmpty();
        assertThat(verdict.differences()).doesNotContainKey(Difference.WIRE_DUPLICATE);
        assertThat(verdict.matched()).isEqualTo(numbered.matched());
    }

    @Test
    void anAnswerWithoutARequestIsAMismatch() throws IOException {
        Path capture = CAPTURES.resolve("rdma_client.pcap");
        CapturedPacket answer = CapturedTraffic.read(capture, true).packets().stream()
                .filter(CapturedPacket::isResponse)
                .findFirst()
                .orElseThrow();
        Path changed = new ChangedCapture(capture)
                .flip(answer.frame(), ChangedCapture.PSN_LAST_BYTE, 4)
                .withRightIcrc(answer.frame())
                .in(folder);
        assertThat(Conformance.of(changed).verdict().mismatches())
                .anyMatch(mismatch -> mismatch.ours().equals("the capture contains no request for this answer"));
    }

    @Test
    void withoutNotesTheCaptureAloneIsJudged() throws IOException {
        for (String name : List.of("op_send_sizes", "op_atomics", "op_rnr_then_ok", "read_bw", "uc_pingpong")) {
            Path alone = Files.copy(CAPTURES.resolve(name + ".pcap"), folder.resolve(name + "-alone.pcap"));
            Comparison verdict = Conformance.of(alone).verdict();
            assertThat(verdict.mismatches()).isEmpty();
            assertThat(verdict.matched()).isEqualTo(verdict.compared());
        }
    }

    /** A real responder answers twice where ours did once: RNR, and for the packet behind it a NAK of the sequence. */
    @Test
    void anRnrNakAndTheSequenceNakBehindItAreTheSameOnBothSides() throws IOException {
        Comparison verdict =
                Conformance.of(CAPTURES.resolve("live/rnr_theirs.pcapng")).verdict();
        assertThat(verdict.mismatches()).isEmpty();
        assertThat(verdict.differences()).isEmpty();
        assertThat(verdict.answers()).isEqualTo(604);
        assertThat(verdict.takenFromCapture()).containsEntry(TakenFromCapture.NO_RECEIVE, 150);
    }

    @Test
    void theTotalsOverAllCaptures() throws IOException {
        Comparison all = Comparison.NONE;
        for (Path capture : captures()) {
            all = all.plus(Conformance.of(capture).verdict());
        }
        System.out.println(all.answers() + " answers, " + all.requests() + " requests, " + all.completions()
                + " completions; matched " + all.matched() + ", " + all.differences() + ", lacking " + all.lacking()
                + ", given " + all.takenFromCapture());
        assertThat(all.answers()).isGreaterThan(700);
        assertThat(sum(all.differences()) * 10).as("one in ten at most").isLessThan(all.compared());
    }
}
