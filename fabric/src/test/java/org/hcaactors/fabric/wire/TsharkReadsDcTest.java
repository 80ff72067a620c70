// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.hcaactors.fabric.capture.CaptureReader;
import org.hcaactors.fabric.capture.CapturedFrame;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Operation.Family;
import org.hcaactors.fabric.packet.Packet;
import org.junit.jupiter.api.Test;

/** Frames of DC that our codec had no hand in, as tshark reads them: BTH and acknowledgements, and the DCETH it steps over. */
class TsharkReadsDcTest {
    private static final Path FRAMES = Path.of("src/test/resources/made/dc.pcap");
    private static final Path THEIRS = Path.of("src/test/resources/made/dc.tshark.tsv");
    private static final int INITIATOR = 0x22;
    private static final int TARGET = 0x11;

    private static List<RoceFrame> frames() throws IOException {
        List<RoceFrame> frames = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.open(FRAMES)) {
            for (Optional<CapturedFrame> next = reader.next(); next.isPresent(); next = reader.next()) {
                byte[] bytes = next.get().bytes().toArray();
                RoceFrame frame = ((Decoded.Frame) FrameDecoder.decode(bytes, LinkLayer.ETHERNET)).frame();
                assertThat(FrameEncoder.encode(frame)).isEqualTo(bytes);
                frames.add(frame);
            }
        }
        return frames;
    }

    // rules wire-bth, wire-dc-class, wire-dc-cnak
    @Test
    void theBthAndTheSyndromesOfAcknowledgementsReadTheSame() throws IOException {
        List<String> ours = frames().stream()
                .map(RoceFrame::packet)
                .map(TsharkReadsDcTest::asTsharkPrintsIt)
                .toList();
        assertThat(ours).containsExactlyElementsOf(Files.readAllLines(THEIRS));
    }

    private static String asTsharkPrintsIt(Packet packet) {
        Bth bth = packet.bth();
        boolean acknowledges = packet.operation() == Operation.ACKNOWLEDGE;
        return "%d\t%d\t%d\t0x%06x\t%d\t%d\t%s\t%s"
                .formatted(
                        bth.opcode().code(),
                        bth.solicited() ? 1 : 0,
                        bth.pkey(),
                        bth.destQp(),
                        bth.ackReq() ? 1 : 0,
                        bth.psn(),
                        acknowledges
                                ? packet.aeth().syndrome() + "\t"
                                        + packet.aeth().msn()
                                : "\t",
                        name(packet.operation()));
    }

    /** It knows the names of RD, which has no invalidating SEND. */
    private static String name(Operation operation) {
        boolean unknown = operation.isMasked() || operation.family() == Family.SEND_WITH_INVALIDATE;
        return unknown ? "Unknown" : "Reliable Datagram (RD) - " + nameInRd(operation);
    }

    private static String nameInRd(Operation operation) {
        return switch (operation) {
            case CONNECT, DISCONNECT -> "RESYNC";
            case ACKNOWLEDGE -> "Acknowledge";
            case ATOMIC_ACKNOWLEDGE -> "ATOMIC Acknowledge";
            case COMPARE_SWAP -> "CmpSwap";
            case FETCH_ADD -> "FetchAdd";
            default -> {
                String[] words = operation.name().split("_");
                StringBuilder name = new StringBuilder(operation.isSend() ? "SEND" : "RDMA " + words[0]);
                for (int i = 1; i < words.length; i++) {
                    name.append(word(words[i]));
                }
                yield name.toString();
            }
        };
    }

    private static String word(String word) {
        return switch (word) {
            case "RESPONSE" -> " response";
            case "IMM" -> " with Immediate";
            default -> " " + word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT);
        };
    }

    // rules wire-icrc, wire-dc-header
    @Test
    void theirChecksumsAreRightAndEachNamesBothOfItsEnds() throws IOException {
        assertThat(frames()).hasSize(30).allSatisfy(frame -> {
            assertThat(frame.icrcOk()).isTrue();
            assertThat(FrameEncoder.encode(frame.packet())).isEqualTo(FrameEncoder.encode(frame));
            boolean answers = frame.packet().operation().isResponse();
            assertThat(frame.packet().bth().destQp()).isEqualTo(answers ? INITIATOR : TARGET);
            assertThat(frame.packet().dcEth().sender()).isEqualTo(answers ? TARGET : INITIATOR);
        });
    }
}
