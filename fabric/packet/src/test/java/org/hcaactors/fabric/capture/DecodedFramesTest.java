// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.capture.PcapngWriter.Direction;
import org.junit.jupiter.api.Test;

class DecodedFramesTest {
    private static final Path FOLDER = Path.of("src/test/resources/encapsulated");

    private static List<DecodedFrame> all(DecodedFrames reader) throws IOException {
        List<DecodedFrame> all = new ArrayList<>();
        try (reader) {
            for (Optional<DecodedFrame> next = reader.next(); next.isPresent(); next = reader.next()) {
                all.add(next.get());
            }
        }
        return all;
    }

    private static List<DecodedFrame> of(String file) throws IOException {
        return all(DecodedFrames.open(FOLDER.resolve(file)));
    }

    private static byte[] frame() throws IOException {
        try (CaptureReader reader = CaptureReader.open(FOLDER.resolve("vxlan.pcap"))) {
            return reader.next().orElseThrow().bytes().toArray();
        }
    }

    @Test
    void aCookedFrameHasADirection() throws IOException {
        for (String file : List.of("sll.pcap", "sll2.pcap")) {
            assertThat(of(file))
                    .extracting(seen -> seen.direction().orElseThrow())
                    .containsExactly(Direction.OUTBOUND, Direction.INBOUND, Direction.OUTBOUND, Direction.INBOUND);
        }
        assertThat(of("sll2.pcap")).extracting(DecodedFrame::interfaceName).containsOnly("if0/3");
    }

    @Test
    void aPacketCapturedTwiceByAnyIsOnePacket() throws IOException {
        List<DecodedFrame> two = of("any.pcap");
        assertThat(two.stream().filter(seen -> seen.again().isPresent())).hasSize(4);
        assertThat(two.get(1).again()).hasValue(1);
        assertThat(two.get(1).againHere()).isFalse();
        List<DecodedFrame> one = of("any_sll.pcap");
        assertThat(one.get(1).again()).hasValue(1);
        assertThat(one.get(1).againHere()).isTrue();
    }

    @Test
    void aRetransmissionIsAnotherPacket() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (PcapngWriter writer = new PcapngWriter(out)) {
            int a = writer.addInterface("alice", "first");
            int b = writer.addInterface("bob\u001b[2J");
            writer.packet(a, 10, Direction.OUTBOUND, frame(), List.of());
            writer.packet(a, 20, Direction.OUTBOUND, frame(), List.of());
            writer.packet(b, 30, Direction.INBOUND, frame(), List.of());
            writer.packet(b, 40, Direction.INBOUND, frame(), List.of());
            writer.packet(b, 50, Direction.INBOUND, frame(), List.of());
        }
        List<DecodedFrame> seen =
                all(DecodedFrames.of(CaptureReader.open(new ByteArrayInputStream(out.toByteArray()))));
        assertThat(seen.get(1).again()).isEmpty();
        assertThat(seen.get(2).again()).as("the first may have been lost").hasValue(2);
        assertThat(seen.get(3).again()).hasValue(1);
        assertThat(seen.get(4).again()).isEmpty();
        assertThat(seen.get(0).frame().source().description()).contains("first");
        assertThat(seen.get(2).interfaceName())
                .as("nothing of it moves a cursor")
                .isEqualTo("bob?[2J");
        assertThat(seen.get(4).sinceFirst()).isEqualTo(40);
    }
}
