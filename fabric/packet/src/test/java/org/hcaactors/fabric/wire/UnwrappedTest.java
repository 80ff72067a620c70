// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.hcaactors.fabric.capture.CaptureReader;
import org.hcaactors.fabric.capture.CapturedFrame;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.wire.Decoded.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Headers around packets in captures. The files are from other tools, or written byte by byte; tshark.tsv has what tshark
 * decodes.
 */
class UnwrappedTest {
    private static final Path FOLDER = Path.of("src/test/resources/encapsulated");

    private record Read(CapturedFrame frame, Unwrapped unwrapped) {}

    private static List<Read> read(String file) throws IOException {
        List<Read> all = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.open(FOLDER.resolve(file))) {
            for (Optional<CapturedFrame> next = reader.next(); next.isPresent(); next = reader.next()) {
                CapturedFrame frame = next.get();
                all.add(new Read(
                        frame, Unwrapped.read(frame.bytes().toArray(), frame.originalLength(), frame.linkType())));
            }
        }
        return all;
    }

    private static List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.contains(".pcap"))
                    .sorted()
                    .toList();
        }
    }

    private static Optional<Bth> bth(Unwrapped read) {
        return switch (read.content()) {
            case Decoded.Frame(var frame) -> Optional.of(frame.packet().bth());
            case Decoded.Truncated(var cut) -> Optional.of(cut.bth());
            case Decoded.NotRoce other -> Optional.empty();
            case Decoded.Malformed bad -> Optional.empty();
        };
    }

    private static String line(String file, int frame, Bth bth) {
        return "%s\t%d\t%d\t0x%06x\t%d".formatted(file, frame, bth.opcode().code() & 0xFF, bth.destQp(), bth.psn());
    }

    @Test
    void everyEncapsulationReadsAsTsharkReadsIt() throws IOException {
        List<String> ours = new ArrayList<>();
        for (String file : files()) {
            for (Read each : read(file)) {
                bth(each.unwrapped).ifPresent(bth -> ours.add(line(file, each.frame.number(), bth)));
            }
        }
        List<String> theirs = new ArrayList<>(Files.readAllLines(FOLDER.resolve("tshark.tsv")));
        // This frame has nine tags; tshark continues.
        assertThat(theirs.removeIf(line -> line.startsWith("deep.pcap\t2\t"))).isTrue();
        assertThat(ours).containsExactlyInAnyOrderElementsOf(theirs).hasSize(93);
    }

    @Test
    void everyIcrcIsRightWithinEveryEncapsulation() throws IOException {
        for (String file : files()) {
            for (Read each : read(file)) {
                if (each.unwrapped.content() instanceof Decoded.Frame(var frame)) {
                    assertThat(frame.icrcOk())
                            .as(file + " frame " + each.frame.number())
                            .isTrue();
                    assertThat(FrameEncoder.encode(frame))
                            .as(file)
                            .isEqualTo(each.frame.bytes().toArray());
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "null.pcap; [loopback]",
                "loop.pcap; [loopback]",
                "sll.pcap; [SLL]",
                "sll2.pcap; [SLL2]",
                "qinq.pcap; [service VLAN 10, VLAN 100]",
                "gre.pcap; [GRE key 7]",
                "gre_ip.pcap; [GRE]",
                "erspan1.pcap; [ERSPAN I]",
                "erspan2.pcap; [ERSPAN II session 5]",
                "erspan3.pcap; [ERSPAN III session 5]",
                "vxlan.pcap; [VXLAN 100]",
                "geneve.pcap; [Geneve 42]",
                "vlan_in_vxlan.pcap; [VLAN 9, VXLAN 77, VLAN 12]"
            })
    void eachHeaderAroundThePacketIsNamed(String file, String around) throws IOException {
        for (Read each : read(file)) {
            assertThat(each.unwrapped.wrappings()).hasToString(around);
            assertThat(each.unwrapped.content()).isInstanceOf(Decoded.Frame.class);
        }
    }

    @Test
    void atMostEightEncapsulatingHeadersAreRemoved() throws IOException {
        List<Read> deep = read("deep.pcap");
        assertThat(deep.get(0).unwrapped.wrappings()).hasSize(Decapsulation.MAX_WRAPPINGS);
        assertThat(deep.get(0).unwrapped.content()).isInstanceOf(Decoded.Frame.class);
        assertThat(deep.get(1).unwrapped.wrappings()).hasSize(Decapsulation.MAX_WRAPPINGS);
        assertThat(deep.get(1).unwrapped.content())
                .isEqualTo(new Decoded.NotRoce("a frame with more than 8 encapsulating headers"));
    }

    @Test
    void aPortRemovesNoTunnel() throws IOException {
        for (String file : List.of("vxlan.pcap", "gre.pcap", "qinq.pcap", "rocev1.pcap")) {
            byte[] frame = read(file).getFirst().frame.bytes().toArray();
            assertThat(FrameDecoder.decode(frame, LinkLayer.ETHERNET)).isInstanceOf(Decoded.NotRoce.class);
        }
    }

    @Test
    void rocev1HasAGrhAndNoUdp() throws IOException {
        Read write = read("rocev1.pcap").getFirst();
        RoceFrame frame = ((Decoded.Frame) write.unwrapped.content()).frame();
        assertThat(frame.ip()).isEqualTo(new IpHeader.Grh());
        assertThat(frame.packet().reth().lengthUnsigned()).isEqualTo(5);
        assertThat(frame.packet().payload().length()).isEqualTo(5);
        byte[] cut = Arrays.copyOf(write.frame.bytes().toArray(), 72);
        assertThat(Unwrapped.read(cut, cut.length + 22, LinkLayer.ETHERNET).content())
                .isInstanceOfSatisfying(
                        Decoded.Truncated.class,
                        part -> assertThat(part.frame().missing()).isEqualTo("RETH, 5 of 5 bytes of payload, ICRC"));
    }

    @Test
    void fromAFrameCutTo64BytesBthAndAethAreRead() throws IOException {
        List<Read> cut = read("cut.pcapng");
        assertThat(cut.getFirst().unwrapped.content()).isInstanceOfSatisfying(Decoded.Truncated.class, part -> {
            assertThat(part.frame().bth().psn()).isEqualTo(12_648_448);
            assertThat(part.frame().missing()).isEqualTo("RETH, 64 of 64 bytes of payload, ICRC");
            assertThat(part.frame().packet()).isEmpty();
        });
    }

    @Test
    void aFrameCutAnywhereNamesItsMissingParts() throws IOException {
        byte[] whole = read("vxlan.pcap").get(1).frame.bytes().toArray();
        int transport = 50 + 14 + 20 + 8;
        for (int length = transport; length < whole.length; length++) {
            Unwrapped read = Unwrapped.read(Arrays.copyOf(whole, length), whole.length, LinkLayer.ETHERNET);
            if (length < transport + Bth.LENGTH_BYTES) {
                assertThat(read.content())
                        .isInstanceOfSatisfying(
                                Decoded.Malformed.class,
                                bad -> assertThat(bad.problem()).isEqualTo(Problem.TRUNCATED));
            } else {
                String missing = ((Decoded.Truncated) read.content()).frame().missing();
                int headers = length - transport - Bth.LENGTH_BYTES;
                assertThat(missing)
                        .isEqualTo((headers < 4 ? "AETH, " : "") + (headers < 12 ? "ATOMIC_ACK_ETH, " : "") + "ICRC");
            }
        }
    }

    @Test
    void aShortFrameWithoutACutIsMalformed() throws IOException {
        byte[] whole = read("qinq.pcap").getFirst().frame.bytes().toArray();
        byte[] part = Arrays.copyOf(whole, whole.length - 6);
        assertThat(Unwrapped.read(part, part.length, LinkLayer.ETHERNET).content())
                .isInstanceOf(Decoded.Malformed.class);
        assertThat(Unwrapped.read(part, whole.length, LinkLayer.ETHERNET).content())
                .isInstanceOf(Decoded.Truncated.class);
    }

    @Test
    void noInputThrowsAndEveryPacketEncodesToItsBytes() throws IOException {
        List<Read> corpus = new ArrayList<>();
        for (String file : files()) {
            corpus.addAll(read(file));
        }
        SplittableRandom random = new SplittableRandom(37);
        int packets = 0;
        for (int i = 0; i < 300_000; i++) {
            Read from = corpus.get(random.nextInt(corpus.size()));
            byte[] bytes = from.frame.bytes().toArray();
            byte[] input =
                    Arrays.copyOf(bytes, random.nextInt(4) == 0 ? random.nextInt(bytes.length + 8) : bytes.length);
            for (int k = random.nextInt(4); k > 0 && input.length > 0; k--) {
                input[random.nextInt(input.length)] ^= (byte) (1 << random.nextInt(8));
            }
            int more = random.nextInt(3) == 0 ? random.nextInt(64) : 0;
            Unwrapped read = Unwrapped.read(input, input.length + more, from.frame.linkType());
            assertThat(read.wrappings()).hasSizeLessThanOrEqualTo(Decapsulation.MAX_WRAPPINGS);
            if (read.content() instanceof Decoded.Frame(var frame)) {
                packets++;
                assertThat(FrameEncoder.encode(frame)).isEqualTo(input);
            } else if (read.content() instanceof Decoded.Truncated(var cut)) {
                assertThat(cut.missing()).isNotBlank();
            }
        }
        assertThat(packets).as("inputs that still are packets").isGreaterThan(100_000);
    }
}
