// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.ExtendedHeader.XrcEth;
import org.hcaactors.fabric.packet.HeaderKind;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.fabric.wire.Decoded.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Encodes and decodes each opcode; those of XRC and DC, of which there is no capture, with bytes written by hand. */
class EveryOpcodeTest {
    private static final Route WAY =
            new Route(PortAddress.ofIpv4(0x0A000001), PortAddress.ofIpv4(0x0A000002), 0, 64, 0, 0xC000);
    private static final int ETHERNET_IP_UDP = 14 + 20 + 8;

    /** Headers in the columns of the table below. */
    private static final String XRCETH = "0000abcd";

    private static final String DCETH = "01000101" + "03000033";
    private static final String DCCETH = "13000002" + "00000000" + "0123456789abcdef";

    private static final String RETH = "00007f0012345678" + "001234ab" + "00000004";
    private static final String ATOMIC_ETH = "00007f0012345678" + "001234ab" + "0000000000000007" + "0000000000000009";
    private static final String AETH = "1f000003";
    private static final String ORIGINAL = "00000000deadbeef";
    private static final String IMMEDIATE = "cafe0001";
    private static final String IETH = "00000301";
    private static final String XRC_8 = "03050000";
    private static final String DC_8 = "03020000";
    private static final String ADDRESS = "00007f0012345678" + "001234ab";
    private static final String PAYLOAD = "01020304";

    private record Row(String code, Opcode opcode, String behindBth) {
        byte[] frame() {
            return framed(bth() + behindBth);
        }

        String bth() {
            return code + (opcode == Opcode.DC_DISCONNECT ? "c0" : "40") + "ffff" + "00000011" + "80000001";
        }
    }

    private static Row row(String code, Opcode opcode, String... parts) {
        return new Row(code, opcode, String.join("", parts));
    }

    static List<Row> xrc() {
        return List.of(
                row("a0", Opcode.XRC_SEND_FIRST, XRCETH, PAYLOAD),
                row("a1", Opcode.XRC_SEND_MIDDLE, XRCETH, PAYLOAD),
                row("a2", Opcode.XRC_SEND_LAST, XRCETH, PAYLOAD),
                row("a3", Opcode.XRC_SEND_LAST_IMM, XRCETH, IMMEDIATE, PAYLOAD),
                row("a4", Opcode.XRC_SEND_ONLY, XRCETH, PAYLOAD),
                row("a5", Opcode.XRC_SEND_ONLY_IMM, XRCETH, IMMEDIATE, PAYLOAD),
                row("a6", Opcode.XRC_WRITE_FIRST, XRCETH, RETH, PAYLOAD),
                row("a7", Opcode.XRC_WRITE_MIDDLE, XRCETH, PAYLOAD),
                row("a8", Opcode.XRC_WRITE_LAST, XRCETH, PAYLOAD),
                row("a9", Opcode.XRC_WRITE_LAST_IMM, XRCETH, IMMEDIATE, PAYLOAD),
                row("aa", Opcode.XRC_WRITE_ONLY, XRCETH, RETH, PAYLOAD),
                row("ab", Opcode.XRC_WRITE_ONLY_IMM, XRCETH, RETH, IMMEDIATE, PAYLOAD),
                row("ac", Opcode.XRC_READ_REQUEST, XRCETH, RETH),
                row("ad", Opcode.XRC_READ_RESPONSE_FIRST, AETH, PAYLOAD),
                row("ae", Opcode.XRC_READ_RESPONSE_MIDDLE, PAYLOAD),
                row("af", Opcode.XRC_READ_RESPONSE_LAST, AETH, PAYLOAD),
                row("b0", Opcode.XRC_READ_RESPONSE_ONLY, AETH, PAYLOAD),
                row("b1", Opcode.XRC_ACKNOWLEDGE, AETH),
                row("b2", Opcode.XRC_ATOMIC_ACKNOWLEDGE, AETH, ORIGINAL),
                row("b3", Opcode.XRC_COMPARE_SWAP, XRCETH, ATOMIC_ETH),
                row("b4", Opcode.XRC_FETCH_ADD, XRCETH, ATOMIC_ETH),
                row("b6", Opcode.XRC_SEND_LAST_INV, XRCETH, IETH, PAYLOAD),
                row("b7", Opcode.XRC_SEND_ONLY_INV, XRCETH, IETH, PAYLOAD),
                row("d3", Opcode.XRC_MASKED_COMPARE_SWAP, XRC_8, XRCETH, ADDRESS, PAYLOAD.repeat(8)),
                row("d4", Opcode.XRC_MASKED_FETCH_ADD, XRC_8, XRCETH, ADDRESS, PAYLOAD.repeat(4)));
    }

    static List<Row> dc() {
        return List.of(
                row("40", Opcode.DC_SEND_FIRST, DCETH, PAYLOAD),
                row("41", Opcode.DC_SEND_MIDDLE, DCETH, PAYLOAD),
                row("42", Opcode.DC_SEND_LAST, DCETH, PAYLOAD),
                row("43", Opcode.DC_SEND_LAST_IMM, DCETH, IMMEDIATE, PAYLOAD),
                row("44", Opcode.DC_SEND_ONLY, DCETH, PAYLOAD),
                row("45", Opcode.DC_SEND_ONLY_IMM, DCETH, IMMEDIATE, PAYLOAD),
                row("46", Opcode.DC_WRITE_FIRST, DCETH, RETH, PAYLOAD),
                row("47", Opcode.DC_WRITE_MIDDLE, DCETH, PAYLOAD),
                row("48", Opcode.DC_WRITE_LAST, DCETH, PAYLOAD),
                row("49", Opcode.DC_WRITE_LAST_IMM, DCETH, IMMEDIATE, PAYLOAD),
                row("4a", Opcode.DC_WRITE_ONLY, DCETH, RETH, PAYLOAD),
                row("4b", Opcode.DC_WRITE_ONLY_IMM, DCETH, RETH, IMMEDIATE, PAYLOAD),
                row("4c", Opcode.DC_READ_REQUEST, DCETH, RETH),
                row("4d", Opcode.DC_READ_RESPONSE_FIRST, DCETH, AETH, PAYLOAD),
                row("4e", Opcode.DC_READ_RESPONSE_MIDDLE, DCETH, PAYLOAD),
                row("4f", Opcode.DC_READ_RESPONSE_LAST, DCETH, AETH, PAYLOAD),
                row("50", Opcode.DC_READ_RESPONSE_ONLY, DCETH, AETH, PAYLOAD),
                row("51", Opcode.DC_ACKNOWLEDGE, DCETH, AETH),
                row("52", Opcode.DC_ATOMIC_ACKNOWLEDGE, DCETH, AETH, ORIGINAL),
                row("53", Opcode.DC_COMPARE_SWAP, DCETH, ATOMIC_ETH),
                row("54", Opcode.DC_FETCH_ADD, DCETH, ATOMIC_ETH),
                row("55", Opcode.DC_CONNECT, DCETH, DCCETH),
                row("55", Opcode.DC_DISCONNECT, DCETH),
                row("56", Opcode.DC_SEND_LAST_INV, DCETH, IETH, PAYLOAD),
                row("57", Opcode.DC_SEND_ONLY_INV, DCETH, IETH, PAYLOAD),
                row("d3", Opcode.DC_MASKED_COMPARE_SWAP, DC_8, DCETH, ADDRESS, PAYLOAD.repeat(8)),
                row("d4", Opcode.DC_MASKED_FETCH_ADD, DC_8, DCETH, ADDRESS, PAYLOAD.repeat(4)));
    }

    static Stream<Row> handMade() {
        return Stream.concat(xrc().stream(), dc().stream());
    }

    /** Adds Ethernet, IPv4 and UDP headers with correct lengths, and an arbitrary ICRC. */
    private static byte[] framed(String transport) {
        byte[] behind = HexFormat.of().parseHex(transport + "00000000");
        ByteBuffer frame = ByteBuffer.allocate(ETHERNET_IP_UDP + behind.length);
        frame.put(new byte[12]).putShort((short) 0x0800);
        frame.putShort((short) 0x4500).putShort((short) (28 + behind.length)).putInt(0x4000);
        frame.putInt(0x40110000).putInt(0x0A000001).putInt(0x0A000002);
        frame.putShort((short) 0xC000).putShort((short) 4791).putShort((short) (8 + behind.length));
        return frame.putShort((short) 0).put(behind).array();
    }

    private static Packet decoded(byte[] frame) {
        return ((Decoded.Frame) FrameDecoder.decode(frame, LinkLayer.ETHERNET))
                .frame()
                .packet();
    }

    private static ExtendedHeader header(HeaderKind kind, Opcode opcode) {
        return switch (kind) {
            case RETH -> new ExtendedHeader.Reth(0x7F00_1234_5678L, 0x1234AB, 4);
            case ATOMIC_ETH -> new ExtendedHeader.AtomicEth(0x7F00_1234_5678L, 0x1234AB, 7, 9);
            case AETH -> new ExtendedHeader.Aeth(0x1F, 3);
            case ATOMIC_ACK_ETH -> new ExtendedHeader.AtomicAckEth(0xDEADBEEFL);
            case DETH -> new ExtendedHeader.Deth(0x11111111, 0, 0x22);
            case IMMEDIATE -> new ExtendedHeader.Immediate(0xCAFE0001);
            case IETH -> new ExtendedHeader.Ieth(0x301);
            case ATOMIC_SIZE ->
                new ExtendedHeader.AtomicSize(3, opcode.transport().number(), 0);
            case ATOMIC_ADDRESS -> new ExtendedHeader.AtomicAddress(0x7F00_1234_5678L, 0x1234AB);
            case XRC_ETH -> new XrcEth(0, 0xABCD);
            case DC_ETH -> new ExtendedHeader.DcEth(1, 0x101, 3, 0x33);
            case DC_CONNECT_ETH -> new ExtendedHeader.DcConnectEth(true, 3, 2, 0, 0x0123_4567_89AB_CDEFL);
        };
    }

    // rules wire-xrc-requests, wire-xrc-header, wire-xrc-masked, wire-dc-class, wire-dc-header, wire-dc-masked
    @ParameterizedTest
    @MethodSource("handMade")
    void theBytesOfAPacketReadAsItsHeaders(Row row) {
        Packet packet = decoded(row.frame());
        assertThat(packet.opcode()).isEqualTo(row.opcode);
        assertThat(packet.bth().destQp()).isEqualTo(0x11);
        assertThat(packet.extended())
                .containsExactlyElementsOf(row.opcode.extended().stream()
                        .map(kind -> header(kind, row.opcode))
                        .toList());
        int headers = packet.extended().stream()
                .mapToInt(header -> header.kind().lengthBytes())
                .sum();
        assertThat(HexFormat.of().formatHex(packet.payload().toArray()))
                .isEqualTo(row.behindBth.substring(2 * headers));
    }

    // rules wire-xrc-requests, wire-dc-header
    @ParameterizedTest
    @MethodSource("handMade")
    void aPacketIsWrittenAsThoseBytes(Row row) {
        byte[] frame = row.frame();
        byte[] written = FrameEncoder.encode(decoded(frame));
        assertThat(Arrays.copyOfRange(written, ETHERNET_IP_UDP, written.length - Icrc.LENGTH_BYTES))
                .isEqualTo(Arrays.copyOfRange(frame, ETHERNET_IP_UDP, frame.length - Icrc.LENGTH_BYTES));
    }

    // rule wire-xrc-requests
    @Test
    void theTableHasEveryOpcodeOfXrcAndTheOperationsOfRc() {
        assertThat(xrc().stream().map(Row::opcode)).containsExactlyInAnyOrderElementsOf(of(TransportClass.XRC));
        assertThat(of(TransportClass.XRC).stream().map(Opcode::operation))
                .containsExactlyElementsOf(
                        of(TransportClass.RC).stream().map(Opcode::operation).toList());
    }

    // rules wire-dc-class, wire-dc-connect
    @Test
    void dcHasTheOperationsOfRcAndOfSessions() {
        assertThat(dc().stream().map(Row::opcode)).containsExactlyInAnyOrderElementsOf(of(TransportClass.DC));
        Stream<Operation> ofSessions = Stream.of(Operation.CONNECT, Operation.DISCONNECT);
        assertThat(of(TransportClass.DC).stream().map(Opcode::operation))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(of(TransportClass.RC).stream().map(Opcode::operation), ofSessions)
                                .toList());
    }

    private static List<Opcode> of(TransportClass transport) {
        return Stream.of(Opcode.values())
                .filter(opcode -> opcode.transport() == transport)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("handMade")
    void aPacketThatEndsInsideItsHeadersIsTooShort(Row row) {
        int headers = row.opcode.extendedBytes();
        for (int bytes = 0; bytes < headers; bytes++) {
            byte[] cut = framed(row.bth() + row.behindBth.substring(0, 2 * bytes));
            assertThat(FrameDecoder.decode(cut, LinkLayer.ETHERNET))
                    .as("%d of %d bytes", bytes, headers)
                    .isInstanceOfSatisfying(
                            Decoded.Malformed.class,
                            bad -> assertThat(bad.problem()).isEqualTo(Problem.BAD_LENGTH));
        }
    }

    // rules wire-bth, wire-headers
    @ParameterizedTest
    @EnumSource(Opcode.class)
    void anEncodedPacketIsDecodedAsTheSamePacket(Opcode opcode) {
        List<ExtendedHeader> headers = opcode.extended().stream()
                .map(kind -> kind == HeaderKind.ATOMIC_SIZE
                        ? new ExtendedHeader.AtomicSize(3, opcode.transport().number(), 0xABCD)
                        : header(kind, opcode))
                .toList();
        int length = opcode.carriesPayload() ? 5 : 0;
        Packet packet = new Packet(
                WAY,
                Bth.of(opcode, opcode != Opcode.DC_CONNECT, true, length, 0xFFFF, 0x11, true, 1),
                headers,
                Octets.wrap(new byte[length], 0, length));
        byte[] frame = FrameEncoder.encode(packet);
        assertThat(FrameDecoder.decode(frame, LinkLayer.ETHERNET))
                .isInstanceOfSatisfying(Decoded.Frame.class, again -> {
                    assertThat(again.frame().packet()).isEqualTo(packet);
                    assertThat(again.frame().icrcOk()).isTrue();
                    assertThat(FrameEncoder.encode(again.frame())).isEqualTo(frame);
                });
    }

    // rule wire-xrc-header
    @Test
    void theReservedByteBeforeTheNumberIsKept() {
        byte[] frame = row("a4", Opcode.XRC_SEND_ONLY, "7fffffff").frame();
        Packet packet = decoded(frame);
        assertThat(packet.xrcEth()).isEqualTo(new XrcEth(0x7F, 0xFF_FFFF));
        assertThat(FrameEncoder.encode(packet)[ETHERNET_IP_UDP + Bth.LENGTH_BYTES])
                .isEqualTo((byte) 0x7F);
    }

    // rules wire-xrc-masked, wire-dc-masked
    @ParameterizedTest
    @CsvSource({"0, RC_MASKED_COMPARE_SWAP", "2, DC_MASKED_COMPARE_SWAP", "5, XRC_MASKED_COMPARE_SWAP"})
    void theWordBehindTheBthNamesTheTransportOfAMaskedAtomic(int transport, Opcode opcode) {
        assertThat(decoded(masked(transport)).opcode()).isEqualTo(opcode);
    }

    // rule wire-masked-atomic
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 6, 7, 8, 13, 0xFF})
    void aMaskedAtomicOfATransportThatHasNoneIsAnUnknownOpcode(int transport) {
        assertThat(FrameDecoder.decode(masked(transport), LinkLayer.ETHERNET))
                .isEqualTo(new Decoded.Malformed(Problem.UNKNOWN_OPCODE, "opcode 0xd3 of transport " + transport));
    }

    private static byte[] masked(int transport) {
        String size = "03%02x0000".formatted(transport);
        return row("d3", Opcode.XRC_MASKED_COMPARE_SWAP, size, XRCETH, ADDRESS, PAYLOAD.repeat(8))
                .frame();
    }

    // rules wire-masked-atomic, wire-xrc-masked
    @Test
    void onlyTheCodesOfMaskedAtomicsAreShared() {
        for (int code = 0; code < 0x100; code++) {
            boolean masked = code == 0xD3 || code == 0xD4;
            assertThat(Opcode.isShared(code)).as("0x%02x", code).isEqualTo(masked);
            if (masked) {
                assertThat(Opcode.of(code)).isEmpty();
            }
        }
        assertThat(Opcode.of(TransportClass.XRC, 0xD4)).contains(Opcode.XRC_MASKED_FETCH_ADD);
        assertThat(Opcode.of(TransportClass.DC, 0xD4)).contains(Opcode.DC_MASKED_FETCH_ADD);
        assertThat(Opcode.of(TransportClass.UC, 0xD4)).isEmpty();
    }
}
