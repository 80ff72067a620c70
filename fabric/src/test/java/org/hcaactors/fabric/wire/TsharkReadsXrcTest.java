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
import org.hcaactors.fabric.packet.Packet;
import org.junit.jupiter.api.Test;

/** Frames of XRC that our codec had no hand in, as tshark reads them: what is behind the BTH it does not know. */
class TsharkReadsXrcTest {
    private static final Path FRAMES = Path.of("src/test/resources/made/xrc.pcap");
    private static final Path THEIRS = Path.of("src/test/resources/made/xrc.tshark.tsv");

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

    // rules wire-bth, wire-xrc-requests
    @Test
    void everyHeaderThatTsharkKnowsReadsTheSame() throws IOException {
        List<String> ours = frames().stream()
                .map(RoceFrame::packet)
                .map(TsharkReadsXrcTest::asTsharkPrintsIt)
                .toList();
        assertThat(ours).containsExactlyElementsOf(Files.readAllLines(THEIRS));
    }

    private static String asTsharkPrintsIt(Packet packet) {
        Bth bth = packet.bth();
        return "%d\t%d\t0x%06x\t%d\t%d\t%s"
                .formatted(
                        bth.opcode().code(),
                        bth.pkey(),
                        bth.destQp(),
                        bth.ackReq() ? 1 : 0,
                        bth.psn(),
                        packet.operation().isMasked()
                                ? "Unknown"
                                : "Extended Reliable Connection (XRC) - " + name(packet.operation()));
    }

    private static String name(Operation operation) {
        return switch (operation) {
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
            case "INV" -> " with Invalidate";
            default -> " " + word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT);
        };
    }

    // rules wire-icrc, wire-xrc-header
    @Test
    void theirChecksumsAreRightAndTheirRequestsNameTheirQueue() throws IOException {
        assertThat(frames()).hasSize(25).allSatisfy(frame -> {
            assertThat(frame.icrcOk()).isTrue();
            assertThat(FrameEncoder.encode(frame.packet())).isEqualTo(FrameEncoder.encode(frame));
            if (!frame.packet().operation().isResponse()) {
                assertThat(frame.packet().xrcEth().srqNumber()).isEqualTo(0xABCD);
            }
        });
    }
}
