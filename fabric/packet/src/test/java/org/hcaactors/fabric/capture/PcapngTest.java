// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PcapngTest {
    private static byte[] sample() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (PcapngWriter writer = new PcapngWriter(out)) {
            int a = writer.addInterface("alice");
            int b = writer.addInterface("bob");
            writer.packet(a, 1_234_567_890_123L, PcapngWriter.Direction.OUTBOUND, new byte[] {1, 2, 3}, List.of());
            writer.packet(
                    b, 1_234_567_890_124L, PcapngWriter.Direction.INBOUND, new byte[61], List.of("first", "zwölf"));
        }
        return out.toByteArray();
    }

    @Test
    void theReaderReadsWrittenFramesToTheNanosecond() throws IOException {
        try (CaptureReader reader = CaptureReader.open(new ByteArrayInputStream(sample()))) {
            CapturedFrame first = reader.next().orElseThrow();
            CapturedFrame second = reader.next().orElseThrow();
            assertThat(first.timestampNanos()).isEqualTo(1_234_567_890_123L);
            assertThat(first.bytes().toArray()).containsExactly(1, 2, 3);
            assertThat(first.linkType()).isEqualTo(1);
            assertThat(second.timestampNanos()).isEqualTo(1_234_567_890_124L);
            assertThat(second.comments()).containsExactly("first", "zwölf");
            assertThat(first.port()).isZero();
            assertThat(second.port()).isEqualTo(1);
            assertThat(first.direction()).contains(PcapngWriter.Direction.OUTBOUND);
            assertThat(second.direction()).contains(PcapngWriter.Direction.INBOUND);
            assertThat(reader.next()).isEmpty();
        }
    }

    @Test
    void aFileCutAnywhereGivesItsWholePacketsAndThenOneProblem() throws IOException {
        byte[] whole = sample();
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            try (CaptureReader reader = CaptureReader.open(new ByteArrayInputStream(cut))) {
                for (Optional<CapturedFrame> next = reader.next(); next.isPresent(); next = reader.next()) {
                    assertThat(next.get().bytes().length()).isPositive();
                }
            } catch (CaptureFormatException told) {
                assertThat(told.getMessage()).isNotBlank();
            }
        }
    }

    @Test
    void noDamageMakesTheReaderThrowAnythingElse() throws IOException {
        byte[] whole = sample();
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 50_000; i++) {
            byte[] damaged = whole.clone();
            for (int k = 0; k < 3; k++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            try (CaptureReader reader = CaptureReader.open(new ByteArrayInputStream(damaged))) {
                while (reader.next().isPresent()) {
                    // only reading on is tested
                }
            } catch (CaptureFormatException told) {
                assertThat(told.getMessage()).isNotBlank();
            }
        }
    }

    @Test
    void aClassicCaptureInNanosecondsAndBigEndianIsRead() throws IOException {
        ByteBuffer file = ByteBuffer.allocate(24 + 16 + 4);
        file.putInt(0xA1B23C4D)
                .putShort((short) 2)
                .putShort((short) 4)
                .putLong(0)
                .putInt(65535)
                .putInt(1);
        file.putInt(7).putInt(9).putInt(4).putInt(60).putInt(0xCAFEBABE);
        try (CaptureReader reader = CaptureReader.open(new ByteArrayInputStream(file.array()))) {
            CapturedFrame frame = reader.next().orElseThrow();
            assertThat(frame.timestampNanos()).isEqualTo(7_000_000_009L);
            assertThat(frame.originalLength()).isEqualTo(60);
            assertThat(reader.next()).isEmpty();
        }
    }

    @Test
    void aFileThatIsNoCaptureIsRefusedWithTheReason() {
        assertThatThrownBy(() -> CaptureReader.open(new ByteArrayInputStream("hello".getBytes())))
                .isInstanceOf(CaptureFormatException.class)
                .hasMessage("the file is neither pcap nor pcapng: it begins with 0x68656c6c");
        assertThatThrownBy(() -> CaptureReader.open(new ByteArrayInputStream(new byte[] {0x1F, (byte) 0x8B, 8, 0})))
                .hasMessage(
                        "the file is neither pcap nor pcapng: it begins with 0x1f8b0800, as gzip does; decompress it first");
        assertThatThrownBy(() -> CaptureReader.open(new ByteArrayInputStream(new byte[0])))
                .hasMessage("the file is empty");
    }
}
