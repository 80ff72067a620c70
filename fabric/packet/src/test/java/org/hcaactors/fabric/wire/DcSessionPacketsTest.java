// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.ExtendedHeader.Aeth;
import org.hcaactors.fabric.packet.ExtendedHeader.DcConnectEth;
import org.hcaactors.fabric.packet.ExtendedHeader.DcEth;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.fabric.wire.Decoded.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Packets that open, refuse and end a session, and one within it, bit by bit. */
class DcSessionPacketsTest {
    private static final Route WAY =
            new Route(PortAddress.ofIpv4(0x0A000001), PortAddress.ofIpv4(0x0A000002), 0, 64, 0, 0xC000);
    private static final int INITIATOR = 0x22;
    private static final int TARGET = 0x11;
    private static final long KEY = 0x0123_4567_89AB_CDEFL;
    private static final int IP_UDP_BEHIND_ETHERNET = 14 + 20 + 8;
    private static final String CONNECT_BTH = "5540ffff" + "00000011" + "80000063";
    private static final String CONNECT =
            CONNECT_BTH + "01000000" + "00000022" + "00000064" + "00000000" + "0123456789abcdef";

    private static Packet packet(Bth bth, String payload, ExtendedHeader... headers) {
        byte[] bytes = HexFormat.of().parseHex(payload);
        return new Packet(WAY, bth, List.of(headers), Octets.wrap(bytes, 0, bytes.length));
    }

    /** Returns the bytes from BTH to payload. */
    private static String bytes(Packet packet) {
        byte[] frame = FrameEncoder.encode(packet);
        return HexFormat.of().formatHex(frame, IP_UDP_BEHIND_ETHERNET, frame.length - Icrc.LENGTH_BYTES);
    }

    private static Decoded decode(String transport) {
        byte[] behind = HexFormat.of().parseHex(transport + "00000000");
        ByteBuffer frame = ByteBuffer.allocate(IP_UDP_BEHIND_ETHERNET + behind.length);
        frame.put(new byte[12]).putShort((short) 0x0800);
        frame.putShort((short) 0x4500).putShort((short) (28 + behind.length)).putInt(0x4000);
        frame.putInt(0x40110000).putInt(0x0A000001).putInt(0x0A000002);
        frame.putShort((short) 0xC000).putShort((short) 4791).putShort((short) (8 + behind.length));
        return FrameDecoder.decode(frame.putShort((short) 0).put(behind).array(), LinkLayer.ETHERNET);
    }

    private static Packet read(String transport) {
        return ((Decoded.Frame) decode(transport)).frame().packet();
    }

    private static void isTheSameBothWays(String transport, Packet packet) {
        assertThat(bytes(packet)).isEqualTo(transport);
        assertThat(read(transport)).isEqualTo(packet);
    }

    // rules wire-dc-connect, wire-dc-header
    @Test
    void aConnectAsksTargetAndKeyForASessionFromAPsnOn() {
        isTheSameBothWays(
                CONNECT,
                packet(
                        Bth.of(Opcode.DC_CONNECT, false, true, 0, 0xFFFF, TARGET, true, 99),
                        "",
                        new DcEth(1, 0, 0, INITIATOR),
                        new DcConnectEth(false, 0, 100, 0, KEY)));
    }

    // rules wire-dc-connect, wire-dc-header
    @Test
    void everyBitOfBothHeadersHasItsPlaceAndIsKept() {
        isTheSameBothWays(
                CONNECT_BTH + "f1abcdef" + "7f000022" + "bd123456" + "89abcdef" + "fedcba9876543210",
                packet(
                        Bth.of(Opcode.DC_CONNECT, false, true, 0, 0xFFFF, TARGET, true, 99),
                        "",
                        new DcEth(0xF1, 0xABCDEF, 0x7F, INITIATOR),
                        new DcConnectEth(true, 13, 0x123456, 0x5_89AB_CDEFL, 0xFEDC_BA98_7654_3210L)));
    }

    // rule wire-dc-header
    @Test
    void theFirstByteHasTheVersionAndInAnAnswerTheFullHandshake() {
        assertThat(new DcEth(0x01, 0, 0, INITIATOR).version()).isEqualTo(1);
        assertThat(new DcEth(0x70, 0, 0, INITIATOR).version()).isZero();
        assertThat(new DcEth(0x01, 0, 0, INITIATOR).asksForFullHandshake()).isFalse();
        assertThat(new DcEth(0x81, 0, 0, INITIATOR).asksForFullHandshake()).isTrue();
    }

    // rule wire-dc-connect
    @Test
    void aDisconnectIsASolicitedConnectWithoutADccEth() {
        isTheSameBothWays(
                "55c0ffff" + "00000011" + "8000007d" + "01000101" + "00000022",
                packet(
                        Bth.of(Opcode.DC_DISCONNECT, true, true, 0, 0xFFFF, TARGET, true, 125),
                        "",
                        new DcEth(1, 0x101, 0, INITIATOR)));
    }

    // rule wire-dc-cnak
    @Test
    void aCnakHas24BytesAndNamesTheTargetButNoSession() {
        String cnak = "5140ffff" + "00000022" + "00000063" + "00000000" + "00000011" + "64000000";
        assertThat(cnak).hasSize(2 * 24);
        isTheSameBothWays(
                cnak,
                packet(
                        Bth.of(Opcode.DC_ACKNOWLEDGE, false, true, 0, 0xFFFF, INITIATOR, false, 99),
                        "",
                        new DcEth(0, 0, 0, TARGET),
                        new Aeth(Syndrome.NAK_CONNECT, 0)));
        assertThat(Syndrome.isNak(Syndrome.NAK_CONNECT)).isTrue();
        assertThat(Syndrome.describe(Syndrome.NAK_CONNECT)).isEqualTo("CNAK");
    }

    // rule wire-dc-header
    @Test
    void aSendHasTheSessionBeforeItsPayload() {
        isTheSameBothWays(
                "4440ffff" + "00000011" + "80000064" + "01000101" + "03000022" + "01020304",
                packet(
                        Bth.of(Opcode.DC_SEND_ONLY, false, true, 4, 0xFFFF, TARGET, true, 100),
                        "01020304",
                        new DcEth(1, 0x101, 3, INITIATOR)));
    }

    // rules wire-dc-header, wire-dc-class
    @Test
    void anAnswerHasTheSessionHeaderBeforeTheHeadersOfRc() {
        isTheSameBothWays(
                "5040ffff" + "00000022" + "00000064" + "01000101" + "00000011" + "1f000001" + "01020304",
                packet(
                        Bth.of(Opcode.DC_READ_RESPONSE_ONLY, false, true, 4, 0xFFFF, INITIATOR, false, 100),
                        "01020304",
                        new DcEth(1, 0x101, 0, TARGET),
                        new Aeth(Syndrome.ACK, 1)));
    }

    // rule wire-dc-masked
    @Test
    void aMaskedAtomicSaysItsClassBeforeItsSession() {
        isTheSameBothWays(
                "d440ffff" + "00000011" + "80000064" + "02020000" + "01000101" + "00000022" + "00007f0012345678"
                        + "001234ab" + "00000005" + "80000000",
                packet(
                        Bth.of(Opcode.DC_MASKED_FETCH_ADD, false, true, 8, 0xFFFF, TARGET, true, 100),
                        "0000000580000000",
                        new ExtendedHeader.AtomicSize(2, 2, 0),
                        new DcEth(1, 0x101, 0, INITIATOR),
                        new ExtendedHeader.AtomicAddress(0x7F00_1234_5678L, 0x1234AB)));
    }

    /** The rest of a CONNECT follows a header that a DISCONNECT does not have. */
    // rule wire-dc-connect
    @Test
    void theSolicitedBitOnAConnectMakesADisconnectThatIsTooLong() {
        assertThat(decode(CONNECT.replaceFirst("5540", "55c0")))
                .isEqualTo(new Decoded.Malformed(Problem.UNEXPECTED_PAYLOAD, "DC_DISCONNECT with 16 bytes of payload"));
    }

    // rule wire-dc-connect
    @Test
    void aDisconnectWithoutTheSolicitedBitIsAConnectThatIsTooShort() {
        assertThat(decode("5540ffff" + "00000011" + "8000007d" + "01000101" + "00000022"))
                .isEqualTo(new Decoded.Malformed(
                        Problem.BAD_LENGTH, "DC_CONNECT needs 36 bytes of headers and pad; the frame has 20"));
    }

    // rule wire-dc-connect
    @ParameterizedTest
    @ValueSource(strings = {"00", "01020304"})
    void aConnectCarriesNoPayload(String payload) {
        assertThat(decode(CONNECT + payload))
                .isEqualTo(new Decoded.Malformed(
                        Problem.UNEXPECTED_PAYLOAD, "DC_CONNECT with " + payload.length() / 2 + " bytes of payload"));
    }
}
