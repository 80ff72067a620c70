// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.hcaactors.fabric.capture.CaptureReader;
import org.hcaactors.fabric.capture.CapturedFrame;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Route;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Captures of real RDMA stacks: decodes every header of every packet, and encodes it to the same bytes. */
class CapturedTrafficTest {
    static final Path CAPTURES = Path.of("src/test/resources/captures");
    private static final ObjectMapper JSON = new ObjectMapper();

    static List<Path> captures() throws IOException {
        try (Stream<Path> files = Files.list(CAPTURES)) {
            return files.filter(f -> f.toString().endsWith(".pcap")).sorted().toList();
        }
    }

    private record Expected(Path file, JsonNode values) {}

    private record Seen(CapturedFrame captured, RoceFrame frame) {}

    private static List<Seen> read(Path capture) throws IOException {
        List<Seen> seen = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.open(capture)) {
            for (Optional<CapturedFrame> next = reader.next(); next.isPresent(); next = reader.next()) {
                CapturedFrame captured = next.get();
                LinkLayer layer = LinkLayer.of(captured.linkType()).orElseThrow();
                switch (FrameDecoder.decode(captured.bytes().toArray(), layer)) {
                    case Decoded.Frame decoded -> seen.add(new Seen(captured, decoded.frame()));
                    case Decoded.Truncated cut -> fail(capture + " frame " + captured.number() + ": " + cut);
                    case Decoded.NotRoce other -> fail(capture + " frame " + captured.number() + ": " + other);
                    case Decoded.Malformed bad -> fail(capture + " frame " + captured.number() + ": " + bad);
                }
            }
        }
        return seen;
    }

    private static List<Expected> expected(Path capture) throws IOException {
        Path beside = Path.of(capture.toString().replace(".pcap", ".expected.jsonl"));
        List<Expected> rows = new ArrayList<>();
        for (String line : Files.readAllLines(beside)) {
            rows.add(new Expected(capture, JSON.readTree(line)));
        }
        return rows;
    }

    // rule wire-identification
    @Test
    void theIdentificationOfEveryCapturedPacketIsFoundFromItsIcrc() throws IOException {
        int others = 0;
        for (Path capture : captures()) {
            for (Seen seen : read(capture)) {
                if (seen.frame.icrcOk() && seen.frame.ip() instanceof IpHeader.Ipv4 ip) {
                    assertThat(checkedBehindASocket(seen))
                            .as("%s frame %d", capture, seen.captured.number())
                            .isEqualTo(
                                    ip.identification() == 0
                                            ? new IcrcCheck.Verified()
                                            : new IcrcCheck.VerifiedWithIdentification(ip.identification()));
                    others += ip.identification() == 0 ? 0 : 1;
                }
            }
        }
        assertThat(others).isGreaterThan(1000);
    }

    /** Returns the check of a datagram whose IP header is not known. */
    private static IcrcCheck checkedBehindASocket(Seen seen) {
        RoceFrame frame = seen.frame;
        Packet packet = frame.packet();
        byte[] bytes = seen.captured.bytes().toArray();
        int start = frame.link().length() + IpHeader.Ipv4.LENGTH_BYTES + 8;
        byte[] contents = Arrays.copyOfRange(bytes, start, start + DatagramEncoder.lengthBytes(packet));
        Route route = new Route(packet.route().source(), packet.route().destination(), 0, 64, 0, 0);
        UdpPorts ports = new UdpPorts(packet.route().udpSourcePort(), Route.UDP_DESTINATION_PORT);
        return ((DecodedDatagram.Whole) DatagramDecoder.decode(contents, route, ports)).icrc();
    }

    @Test
    void thereAreFiftyCapturesWith2036Packets() throws IOException {
        int packets = 0;
        for (Path capture : captures()) {
            packets += read(capture).size();
        }
        assertThat(captures()).hasSize(50);
        assertThat(packets).isEqualTo(2036);
    }

    // rules wire-frame, wire-bth, wire-opcodes, wire-headers
    @ParameterizedTest
    @MethodSource("captures")
    void everyHeaderReadsAsTheIndependentDecoderReadsIt(Path capture) throws IOException {
        List<Seen> seen = read(capture);
        List<Expected> expected = expected(capture);
        assertThat(seen).hasSameSizeAs(expected);
        for (int i = 0; i < seen.size(); i++) {
            compare(seen.get(i), expected.get(i));
        }
    }

    // rules wire-frame, wire-bth
    @ParameterizedTest
    @MethodSource("captures")
    void encodingADecodedFrameGivesTheSameBytes(Path capture) throws IOException {
        for (Seen seen : read(capture)) {
            assertThat(FrameEncoder.encode(seen.frame()))
                    .as("%s frame %d", capture, seen.captured().number())
                    .isEqualTo(seen.captured().bytes().toArray());
        }
    }

    private static void compare(Seen seen, Expected expected) {
        JsonNode want = expected.values();
        Packet packet = seen.frame().packet();
        Bth bth = packet.bth();
        String where = expected.file().getFileName() + " frame " + want.get("frame");
        assertThat(seen.captured().number())
                .as(where)
                .isEqualTo(want.get("frame").asInt());
        assertThat(bth.opcode().code()).as(where).isEqualTo(want.get("opcode").asInt());
        assertThat(bit(bth.solicited()))
                .as(where)
                .isEqualTo(want.get("solicited").asInt());
        assertThat(bit(bth.migReq())).as(where).isEqualTo(want.get("migReq").asInt());
        assertThat((int) bth.padCount())
                .as(where)
                .isEqualTo(want.get("padCount").asInt());
        assertThat((int) bth.transportVersion())
                .as(where)
                .isEqualTo(want.get("tver").asInt());
        assertThat(bth.pkey()).as(where).isEqualTo(want.get("pkey").asInt());
        assertThat(bth.destQp()).as(where).isEqualTo(want.get("destQp").asInt());
        assertThat(bit(bth.ackReq())).as(where).isEqualTo(want.get("ackReq").asInt());
        assertThat(bth.psn()).as(where).isEqualTo(want.get("psn").asInt());
        assertThat(packet.payload().length())
                .as(where)
                .isEqualTo(want.get("payloadBytes").asInt());
        assertThat(Integer.toUnsignedLong(packet.payload().crc32()))
                .as(where)
                .isEqualTo(want.get("payloadCrc32").asLong());
        assertThat("%08x".formatted(seen.frame().icrc()))
                .as(where)
                .isEqualTo(want.get("icrc").asText());
        assertThat(seen.frame().icrcOk()).as(where).isEqualTo(want.get("icrcOk").asBoolean());
        compareExtended(packet, want, where);
    }

    private static int bit(boolean flag) {
        return flag ? 1 : 0;
    }

    private static void compareExtended(Packet packet, JsonNode want, String where) {
        int expectedHeaders = 0;
        for (String name : List.of("reth", "atomicEth", "aeth", "atomicAckEth", "deth", "imm", "invalidateRkey")) {
            expectedHeaders += want.has(name) ? 1 : 0;
        }
        assertThat(packet.extended()).as(where).hasSize(expectedHeaders);
        for (ExtendedHeader header : packet.extended()) {
            switch (header) {
                case ExtendedHeader.Reth h -> {
                    assertThat(Long.toUnsignedString(h.address())).isEqualTo(text(want, "reth", "va"));
                    assertThat(Integer.toUnsignedString(h.rkey())).isEqualTo(text(want, "reth", "rkey"));
                    assertThat(Long.toString(h.lengthUnsigned())).isEqualTo(text(want, "reth", "dmaLen"));
                }
                case ExtendedHeader.AtomicEth h -> {
                    assertThat(Long.toUnsignedString(h.address())).isEqualTo(text(want, "atomicEth", "va"));
                    assertThat(Integer.toUnsignedString(h.rkey())).isEqualTo(text(want, "atomicEth", "rkey"));
                    assertThat(Long.toUnsignedString(h.swapOrAdd())).isEqualTo(text(want, "atomicEth", "swapOrAdd"));
                    assertThat(Long.toUnsignedString(h.compare())).isEqualTo(text(want, "atomicEth", "compare"));
                }
                case ExtendedHeader.Aeth h -> {
                    assertThat(Integer.toString(h.syndrome())).isEqualTo(text(want, "aeth", "syndrome"));
                    assertThat(Integer.toString(h.msn())).isEqualTo(text(want, "aeth", "msn"));
                }
                case ExtendedHeader.AtomicAckEth h ->
                    assertThat(Long.toUnsignedString(h.original()))
                            .isEqualTo(want.get("atomicAckEth").asText());
                case ExtendedHeader.Deth h -> {
                    assertThat(Integer.toUnsignedString(h.qkey())).isEqualTo(text(want, "deth", "qkey"));
                    assertThat(Integer.toString(h.sourceQp())).isEqualTo(text(want, "deth", "srcQp"));
                }
                case ExtendedHeader.Immediate h ->
                    assertThat(Integer.toUnsignedLong(h.value()))
                            .isEqualTo(want.get("imm").asLong());
                case ExtendedHeader.AtomicSize h -> throw new AssertionError("a masked atomic was captured");
                case ExtendedHeader.AtomicAddress h -> throw new AssertionError("a masked atomic was captured");
                case ExtendedHeader.XrcEth h -> throw new AssertionError("XRC was captured");
                case ExtendedHeader.DcEth h -> throw new AssertionError("DC was captured");
                case ExtendedHeader.DcConnectEth h -> throw new AssertionError("DC was captured");
                case ExtendedHeader.Ieth h ->
                    assertThat(Integer.toUnsignedLong(h.rkey()))
                            .isEqualTo(want.get("invalidateRkey").asLong());
            }
        }
    }

    private static String text(JsonNode want, String header, String field) {
        return want.get(header).get(field).asText();
    }
}
