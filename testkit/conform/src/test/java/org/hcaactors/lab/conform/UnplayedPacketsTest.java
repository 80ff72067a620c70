// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.lab.capture.MadeCapture.ack;
import static org.hcaactors.lab.capture.MadeCapture.answer;
import static org.hcaactors.lab.capture.MadeCapture.request;
import static org.hcaactors.lab.capture.MadeCapture.to;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.hcaactors.fabric.packet.ExtendedHeader.Aeth;
import org.hcaactors.fabric.packet.ExtendedHeader.AtomicAckEth;
import org.hcaactors.fabric.packet.ExtendedHeader.AtomicAddress;
import org.hcaactors.fabric.packet.ExtendedHeader.AtomicEth;
import org.hcaactors.fabric.packet.ExtendedHeader.AtomicSize;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.lab.capture.MadeCapture;
import org.hcaactors.lab.conform.Conformance.Report;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.fault.Swarm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Packets that were cut short, and masked atomics: what they decide is not known, and what they don't decide is judged. */
@Tag("nightly")
class UnplayedPacketsTest {
    private static final int SEEDS = Integer.getInteger("conform.seeds", 4);
    private static final Path CAPTURES = Path.of("../../fabric/packet/src/test/resources/captures");

    @TempDir
    Path folder;

    private static Path captured(String name) {
        return CAPTURES.resolve(name + ".pcap");
    }

    private Report cut(Path capture, int snapBytes) throws IOException {
        return Conformance.of(MadeCapture.snapped(capture, snapBytes).in(folder));
    }

    // Behind a BTH, an AETH, a RETH, some payload.
    @ParameterizedTest
    @ValueSource(ints = {54, 58, 60, 64, 70, 74, 96, 128, 256, 600, 1000})
    void aCutCaptureOfAnyStackHasNoMismatch(int snapBytes) throws IOException {
        for (Path capture : ConformanceTest.captures()) {
            Report report = cut(capture, snapBytes);
            assertThat(report.verdict().mismatches())
                    .as("%s at %d", capture.getFileName(), snapBytes)
                    .isEmpty();
            Path notes = Path.of(capture.toString().replace(".pcap", ".txt"));
            if (Files.exists(notes)) {
                Files.copy(notes, folder.resolve("made.txt"));
                assertThat(cut(capture, snapBytes).verdict().mismatches())
                        .as("%s at %d, with notes", capture.getFileName(), snapBytes)
                        .isEmpty();
                Files.delete(folder.resolve("made.txt"));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCutCaptureOfOursHasNoMismatchUnderFaults(TestTraffic.Tap tap) throws IOException {
        for (long seed = 0; seed < SEEDS; seed++) {
            FaultPlan wire = seed % 2 == 0
                    ? FaultPlan.NONE
                    : Swarm.WIRE.plan(seed, List.of("a", "b"), Duration.ofNanos(150_000));
            Path whole = TestTraffic.capture(seed, wire, tap, folder);
            for (int snapBytes : new int[] {58, 64, 96, 200, 400}) {
                assertThat(cut(whole, snapBytes).verdict().mismatches())
                        .as("seed %d at %d", seed, snapBytes)
                        .isEmpty();
            }
        }
    }

    /** Eleven messages, of which the first ones fit into the snap length. */
    @Test
    void completePacketsOfACutCaptureAreCompared() throws IOException {
        Report report = cut(captured("op_send_sizes"), 128);
        assertThat(report.outOfScope())
                .containsEntry("truncated packets", 8)
                .containsEntry("packets that depend on truncated packets", 6);
        assertThat(report.verdict().compared()).isEqualTo(18);
        assertThat(report.verdict().matched()).isEqualTo(report.verdict().compared());
    }

    @Test
    void aWrongAnswerInACutCaptureIsAMismatch() throws IOException {
        Path changed = new ChangedCapture(captured("op_send_sizes"))
                .flip(2, ChangedCapture.SYNDROME, 6)
                .withRightIcrc(2)
                .in(folder);
        assertThat(cut(changed, 128).verdict().mismatches()).isNotEmpty();
    }

    private static Packet masked(int psn) {
        AtomicSize size = new AtomicSize(3, TransportClass.RC.number(), 0);
        return request(Opcode.RC_MASKED_FETCH_ADD, psn, 16, size, new AtomicAddress(0x2000, 7));
    }

    private static Packet fetched(int psn, int msn, long was) {
        return answer(Opcode.RC_ATOMIC_ACKNOWLEDGE, psn, 0, new Aeth(Syndrome.ACK, msn), new AtomicAckEth(was));
    }

    private static Packet add(int psn) {
        return request(Opcode.RC_FETCH_ADD, psn, 0, new AtomicEth(0x1000, 7, 1, 0));
    }

    @Test
    void aMaskedAtomicBetweenOtherRequestsIsPassedOver() throws IOException {
        Packet send = request(Opcode.RC_SEND_ONLY, 10, 4);
        Packet next = request(Opcode.RC_SEND_ONLY, 12, 4);
        Report report = Conformance.of(MadeCapture.whole()
                .sees(send, ack(10, 1), masked(11), fetched(11, 2, 5), next, ack(12, 3))
                .in(folder));
        assertThat(report.outOfScope())
                .containsEntry("masked atomics", 1)
                .containsEntry("answers to masked atomics", 1);
        assertThat(report.verdict().mismatches()).isEmpty();
        assertThat(report.verdict().matched()).isEqualTo(report.verdict().compared());
        assertThat(report.verdict().answers()).isEqualTo(2);
    }

    /** Two queue pairs ask under the same number, one of them for what is not judged. */
    @Test
    void theAnswerToAnotherQueuePairsAtomicIsJudged() throws IOException {
        Report report = Conformance.of(MadeCapture.whole()
                .sees(
                        masked(11),
                        fetched(11, 1, 5),
                        to(99, add(10)),
                        to(98, fetched(10, 1, 3)),
                        to(99, add(11)),
                        to(98, fetched(11, 2, 4)))
                .in(folder));
        assertThat(report.outOfScope()).containsEntry("answers to masked atomics", 1);
        assertThat(report.verdict().mismatches()).isEmpty();
        assertThat(report.verdict().answers()).isEqualTo(2);
    }
}
