// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.hcaactors.fabric.capture.CaptureReader;
import org.hcaactors.fabric.capture.CapturedFrame;
import org.junit.jupiter.api.Test;

/**
 * No input makes the decoder throw, and every accepted frame can be encoded again. 300,000 inputs here; for ten million: {@code
 * mvn verify -pl fabric -Dtest=DecoderFuzzTest -Dfuzz.inputs=10000000}.
 */
class DecoderFuzzTest {
    private static final int INPUTS = Integer.getInteger("fuzz.inputs", 300_000);
    private static final long SEED = Long.getLong("fuzz.seed", 20_261_121L);

    // rule wire-frame
    @Test
    void noInputMakesTheDecoderThrowAndEveryPacketEncodesToItsBytes() throws IOException {
        List<byte[]> corpus = corpus();
        SplittableRandom random = new SplittableRandom(SEED);
        int packets = 0;
        for (int i = 0; i < INPUTS; i++) {
            byte[] input = i % 4 == 0 ? noise(random) : mutated(corpus.get(random.nextInt(corpus.size())), random);
            LinkLayer layer = random.nextInt(8) == 0
                    ? LinkLayer.values()[random.nextInt(LinkLayer.values().length)]
                    : LinkLayer.ETHERNET;
            if (FrameDecoder.decode(input, layer) instanceof Decoded.Frame decoded) {
                packets++;
                assertThat(FrameEncoder.encode(decoded.frame())).isEqualTo(input);
            }
        }
        assertThat(packets).as("inputs that still are packets").isGreaterThan(INPUTS / 20);
    }

    private static List<byte[]> corpus() throws IOException {
        List<byte[]> corpus = new ArrayList<>();
        List<Path> captures = new ArrayList<>(CapturedTrafficTest.captures());
        captures.add(Path.of("src/test/resources/made/xrc.pcap"));
        captures.add(Path.of("src/test/resources/made/dc.pcap"));
        for (Path capture : captures) {
            try (CaptureReader reader = CaptureReader.open(capture)) {
                for (Optional<CapturedFrame> next = reader.next(); next.isPresent(); next = reader.next()) {
                    byte[] frame = next.get().bytes().toArray();
                    if (frame.length <= 300) {
                        corpus.add(frame);
                    }
                }
            }
        }
        return corpus;
    }

    private static byte[] noise(SplittableRandom random) {
        byte[] input = new byte[random.nextInt(140)];
        random.nextBytes(input);
        if (input.length > 14 && random.nextBoolean()) {
            input[12] = 0x08;
            input[13] = 0x00;
            input[14] = 0x45;
        }
        return input;
    }

    private static byte[] mutated(byte[] frame, SplittableRandom random) {
        byte[] input = switch (random.nextInt(4)) {
            case 0 -> java.util.Arrays.copyOf(frame, random.nextInt(frame.length + 1));
            case 1 -> java.util.Arrays.copyOf(frame, frame.length + random.nextInt(16));
            default -> frame.clone();
        };
        int changes = 1 + random.nextInt(4);
        for (int i = 0; i < changes && input.length > 0; i++) {
            int at = random.nextBoolean() ? random.nextInt(input.length) : random.nextInt(Math.min(72, input.length));
            input[at] ^= (byte) (1 << random.nextInt(8));
        }
        return input;
    }
}
