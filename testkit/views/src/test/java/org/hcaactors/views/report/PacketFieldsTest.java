// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.views.report.FieldValues.address;
import static org.hcaactors.views.report.FieldValues.number;

import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.HeaderKind;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.wire.FrameEncoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

// rules wire-frame, wire-bth, wire-headers, wire-xrc-header, wire-dc-header, wire-dc-connect, wire-masked-atomic
/** The fields that a person is shown stand where the codec writes them. */
class PacketFieldsTest {
    private final Random random = new Random(19);

    @ParameterizedTest
    @EnumSource
    void theFieldsOfAHeaderFillIt(HeaderKind kind) {
        assertThat(PacketFields.of(kind).lengthBytes()).isEqualTo(kind.lengthBytes());
    }

    @Test
    void commonHeadersHaveTheirLengthOnTheWire() {
        assertThat(PacketFields.ETHERNET.lengthBytes()).isEqualTo(14);
        assertThat(PacketFields.IPV4.lengthBytes()).isEqualTo(20);
        assertThat(PacketFields.IPV6.lengthBytes()).isEqualTo(40);
        assertThat(PacketFields.UDP.lengthBytes()).isEqualTo(8);
        assertThat(PacketFields.BTH.lengthBytes()).isEqualTo(Bth.LENGTH_BYTES);
    }

    @ParameterizedTest
    @EnumSource
    void everyFieldEqualsTheEncodedOne(Opcode opcode) {
        for (boolean v4 : List.of(true, false)) {
            Packet packet = packet(opcode, v4);
            byte[] frame = FrameEncoder.encode(packet);
            int at = 14 + (v4 ? 20 : 40);
            assertThat(FieldValues.of(PacketFields.UDP, frame, at))
                    .startsWith(number(packet.route().udpSourcePort()), number(Route.UDP_DESTINATION_PORT));
            at += 8;
            assertThat(FieldValues.of(PacketFields.BTH, frame, at)).isEqualTo(ofBth(packet.bth()));
            at += Bth.LENGTH_BYTES;
            for (ExtendedHeader header : packet.extended()) {
                assertThat(FieldValues.of(PacketFields.of(header.kind()), frame, at))
                        .isEqualTo(of(header));
                at += header.kind().lengthBytes();
            }
            assertThat(at + packet.payload().length() + packet.bth().padCount() + 4)
                    .isEqualTo(frame.length);
        }
    }

    @Test
    void addressesAreAtTheirIpOffsets() {
        Packet v4 = packet(Opcode.RC_SEND_ONLY, true);
        assertThat(FieldValues.of(PacketFields.IPV4, FrameEncoder.encode(v4), 14))
                .endsWith(
                        number(v4.route().source().ipv4()),
                        number(v4.route().destination().ipv4()));
        Packet v6 = packet(Opcode.RC_SEND_ONLY, false);
        assertThat(FieldValues.of(PacketFields.IPV6, FrameEncoder.encode(v6), 14))
                .contains(number(v6.route().flowLabel()), address(v6.route().source()))
                .endsWith(address(v6.route().destination()));
    }

    private Packet packet(Opcode opcode, boolean v4) {
        Route route = v4
                ? new Route(PortAddress.ofIpv4(0x0A000001), PortAddress.ofIpv4(0xC0A80102), 3, 64, 0, 0xC123)
                : new Route(
                        new PortAddress(0xFE80L << 48, 7), new PortAddress(0xFE80L << 48, 9), 3, 64, 0xABCDE, 0xC123);
        int payload = opcode.carriesPayload() ? 1 + random.nextInt(40) : 0;
        Bth bth = new Bth(
                opcode,
                opcode.solicited(true) == opcode,
                random.nextBoolean(),
                Bth.padFor(payload),
                (byte) 0,
                random.nextInt(0x10000),
                random.nextBoolean(),
                random.nextBoolean(),
                (byte) random.nextInt(0x40),
                random.nextInt(0x1000000),
                random.nextBoolean(),
                (byte) random.nextInt(0x80),
                random.nextInt(0x1000000));
        List<ExtendedHeader> headers =
                opcode.extended().stream().map(kind -> header(kind, opcode)).toList();
        byte[] bytes = new byte[payload];
        random.nextBytes(bytes);
        return new Packet(route, bth, headers, Octets.copyOf(bytes));
    }

    private ExtendedHeader header(HeaderKind kind, Opcode opcode) {
        int bits24 = random.nextInt(0x1000000);
        int bits8 = random.nextInt(0x100);
        long bits64 = random.nextLong();
        int bits32 = random.nextInt();
        return switch (kind) {
            case RETH -> new ExtendedHeader.Reth(bits64, bits32, random.nextInt());
            case ATOMIC_ETH -> new ExtendedHeader.AtomicEth(bits64, bits32, random.nextLong(), random.nextLong());
            case AETH -> new ExtendedHeader.Aeth(bits8, bits24);
            case ATOMIC_ACK_ETH -> new ExtendedHeader.AtomicAckEth(bits64);
            case DETH -> new ExtendedHeader.Deth(bits32, bits8, bits24);
            case IMMEDIATE -> new ExtendedHeader.Immediate(bits32);
            case IETH -> new ExtendedHeader.Ieth(bits32);
            case ATOMIC_SIZE ->
                new ExtendedHeader.AtomicSize(bits8, opcode.transport().number(), bits24 & 0xFFFF);
            case ATOMIC_ADDRESS -> new ExtendedHeader.AtomicAddress(bits64, bits32);
            case XRC_ETH -> new ExtendedHeader.XrcEth(bits8, bits24);
            case DC_ETH -> new ExtendedHeader.DcEth(bits8, bits24, random.nextInt(0x100), random.nextInt(0x1000000));
            case DC_CONNECT_ETH ->
                new ExtendedHeader.DcConnectEth(
                        random.nextBoolean(), bits8 & 0xF, bits24, bits64 >>> 29, random.nextLong());
        };
    }

    private static List<BigInteger> of(ExtendedHeader header) {
        return switch (header) {
            case ExtendedHeader.Reth h -> List.of(number(h.address()), number(h.rkey()), number(h.lengthBytes()));
            case ExtendedHeader.AtomicEth h ->
                List.of(number(h.address()), number(h.rkey()), number(h.swapOrAdd()), number(h.compare()));
            case ExtendedHeader.Aeth h -> List.of(number(h.syndrome()), number(h.msn()));
            case ExtendedHeader.AtomicAckEth h -> List.of(number(h.original()));
            case ExtendedHeader.Deth h -> List.of(number(h.qkey()), number(h.reserved()), number(h.sourceQp()));
            case ExtendedHeader.Immediate h -> List.of(number(h.value()));
            case ExtendedHeader.Ieth h -> List.of(number(h.rkey()));
            case ExtendedHeader.AtomicSize h ->
                List.of(number(h.logBytes()), number(h.transport()), number(h.reserved()));
            case ExtendedHeader.AtomicAddress h -> List.of(number(h.address()), number(h.rkey()));
            case ExtendedHeader.XrcEth h -> List.of(number(h.reserved()), number(h.srqNumber()));
            case ExtendedHeader.DcEth h ->
                List.of(
                        number(h.flags() >> 7),
                        number(h.flags() >> 4 & 7),
                        number(h.version()),
                        number(h.sessionId()),
                        number(h.channel()),
                        number(h.sender()));
            case ExtendedHeader.DcConnectEth h ->
                List.of(
                        number((int) (h.reserved() >>> 32)),
                        number(h.reconnect() ? 1 : 0),
                        number(h.reverseSl()),
                        number(h.nextPsn()),
                        number((int) h.reserved()),
                        number(h.accessKey()));
        };
    }

    private static List<BigInteger> ofBth(Bth bth) {
        return List.of(
                number(bth.opcode().code()),
                number(bth.solicited() ? 1 : 0),
                number(bth.migReq() ? 1 : 0),
                number(bth.padCount()),
                number(bth.transportVersion()),
                number(bth.pkey()),
                number(bth.fecn() ? 1 : 0),
                number(bth.becn() ? 1 : 0),
                number(bth.reserved6()),
                number(bth.destQp()),
                number(bth.ackReq() ? 1 : 0),
                number(bth.reserved7()),
                number(bth.psn()));
    }
}
