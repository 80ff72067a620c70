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
import java.util.function.Function;
import org.hcaactors.fabric.capture.CaptureReader;
import org.hcaactors.fabric.capture.CapturedFrame;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;

/**
 * Frames that were not made by this project's codec, and what tshark decodes: one line for each, in a file of the same name.
 */
record MadeFrames(String name) {
    private Path file(String suffix) {
        return Path.of("src/test/resources/made", name + suffix);
    }

    /** Returns the frames as this codec decodes them, after checking that it encodes them to the same bytes. */
    List<RoceFrame> read() throws IOException {
        List<RoceFrame> frames = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.open(file(".pcap"))) {
            for (Optional<CapturedFrame> next = reader.next(); next.isPresent(); next = reader.next()) {
                byte[] bytes = next.get().bytes().toArray();
                RoceFrame frame = ((Decoded.Frame) FrameDecoder.decode(bytes, LinkLayer.ETHERNET)).frame();
                assertThat(FrameEncoder.encode(frame)).isEqualTo(bytes);
                frames.add(frame);
            }
        }
        return frames;
    }

    /** @param asTsharkPrintsIt returns a packet's line */
    void assertReadTheSame(Function<Packet, String> asTsharkPrintsIt) throws IOException {
        List<String> ours =
                read().stream().map(RoceFrame::packet).map(asTsharkPrintsIt).toList();
        assertThat(ours).containsExactlyElementsOf(Files.readAllLines(file(".tshark.tsv")));
    }

    /** Returns tshark's name of the operation, without its transport; not for sessions and masked atomics. */
    static String operation(Operation operation) {
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

    /** Asserts that the ICRC of the frame is correct and equals the computed one. */
    static void assertChecksum(RoceFrame frame) {
        assertThat(frame.icrcOk()).isTrue();
        assertThat(FrameEncoder.encode(frame.packet())).isEqualTo(FrameEncoder.encode(frame));
    }
}
