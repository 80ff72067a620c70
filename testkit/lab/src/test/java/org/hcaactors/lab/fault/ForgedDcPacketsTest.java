// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.fabric.link.PacketInTransit;
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
import org.hcaactors.fabric.wire.Decoded;
import org.hcaactors.fabric.wire.FrameDecoder;
import org.hcaactors.fabric.wire.LinkLayer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Forged DC packets: the solicited bit determines the meaning of opcode 0x55, and responses name their sender. */
class ForgedDcPacketsTest {
    private static final int INITIATOR = 0x22;
    private static final int TARGET = 0x11;
    private static final Route WAY =
            new Route(PortAddress.ofIpv4(0x0A000001), PortAddress.ofIpv4(0x0A000002), 0, 64, 0, 0xC000);
    private static final DcEth FROM_INITIATOR = new DcEth(0x01, 0x101, 3, INITIATOR);
    private static final Packet CONNECT = packet(
            Bth.of(Opcode.DC_CONNECT, false, true, 0, 0xFFFF, TARGET, true, 99),
            FROM_INITIATOR,
            new DcConnectEth(true, 3, 100, 0, -2));
    private static final Packet DISCONNECT =
            packet(Bth.of(Opcode.DC_DISCONNECT, true, true, 0, 0xFFFF, TARGET, true, 104), FROM_INITIATOR);
    private static final Packet SEND =
            packet(Bth.of(Opcode.DC_SEND_ONLY, true, true, 0, 0xFFFF, TARGET, true, 100), FROM_INITIATOR);
    private static final Packet ANSWER = packet(
            Bth.of(Opcode.DC_ACKNOWLEDGE, false, true, 0, 0xFFFF, INITIATOR, false, 99),
            new DcEth(0x81, 0x101, 3, TARGET),
            new Aeth(Syndrome.ACK, 0));

    private static Packet packet(Bth bth, ExtendedHeader... headers) {
        return new Packet(WAY, bth, List.of(headers), Octets.NONE);
    }

    static Stream<Packet> packets() {
        return Stream.of(CONNECT, DISCONNECT, SEND, ANSWER);
    }

    private static Decoded decoded(Packet packet, Forgery forgery) {
        int from = packet.operation().isResponse() ? TARGET : INITIATOR;
        Octets frame = Forger.frame(new PacketInTransit("a", from, "b", packet, 0), forgery);
        return FrameDecoder.decode(frame.toArray(), LinkLayer.ETHERNET);
    }

    private static Packet forged(Packet packet, Forgery forgery) {
        return ((Decoded.Frame) decoded(packet, forgery)).frame().packet();
    }

    // rules wire-dc-header, wire-dc-connect
    @ParameterizedTest
    @MethodSource("packets")
    void aForgedCopyIsTheSamePacket(Packet packet) {
        assertThat(forged(packet, Forgery.copy())).isEqualTo(packet);
    }

    @ParameterizedTest
    @EnumSource(ForgedField.class)
    void everyFieldCanBeChangedOnTheWayAndBack(ForgedField field) {
        packets()
                .forEach(packet -> Stream.of(Forgery.copy(), Forgery.answer(packet.opcode()))
                        .filter(forgery -> forgery.edits().stream().noneMatch(edit -> edit.field() == field))
                        .forEach(forgery -> {
                            assertThat(decoded(packet, forgery.set(field, -1))).isNotInstanceOf(Decoded.NotRoce.class);
                            assertThat(decoded(packet, forgery.add(field, 1))).isNotInstanceOf(Decoded.NotRoce.class);
                        }));
    }

    @ParameterizedTest
    @EnumSource(Opcode.class)
    void everyOpcodeCanBeForged(Opcode opcode) {
        packets().forEach(packet -> {
            Packet forged = forged(packet, Forgery.copy().opcode(opcode));
            assertThat(forged.operation()).isEqualTo(opcode.operation());
            assertThat(forged(packet, Forgery.answer(opcode)).operation()).isEqualTo(opcode.operation());
        });
    }

    // rule wire-dc-connect
    @Test
    void theSolicitedBitMakesAConnectADisconnectOfTheSameSession() {
        Packet ended = forged(CONNECT, Forgery.copy().add(ForgedField.SOLICITED, 1));
        assertThat(ended.opcode()).isEqualTo(Opcode.DC_DISCONNECT);
        assertThat(ended.extended()).containsExactly(FROM_INITIATOR);
        Packet opened = forged(DISCONNECT, Forgery.copy().add(ForgedField.SOLICITED, 1));
        assertThat(opened.opcode()).isEqualTo(Opcode.DC_CONNECT);
        assertThat(opened.extended()).containsExactly(FROM_INITIATOR, new DcConnectEth(false, 0, 0, 0, 0));
    }

    // rule wire-dc-header
    @Test
    void aForgedAnswerHasTheTargetsAddressAndNoSolicitedEvent() {
        for (Packet request : List.of(CONNECT, DISCONNECT, SEND)) {
            Packet answer = forged(request, Forgery.answer(Opcode.DC_ACKNOWLEDGE));
            assertThat(answer.dcEth()).isEqualTo(new DcEth(0x01, 0x101, 3, TARGET));
            assertThat(answer.bth().destQp()).isEqualTo(INITIATOR);
            assertThat(answer.bth().solicited()).isFalse();
        }
    }

    @Test
    void aReversedDisconnectIsADisconnect() {
        Forgery back = new Forgery(
                true,
                Forgery.copy().place(),
                Forgery.copy().after(),
                List.of(),
                Forgery.copy().damage());
        assertThat(forged(DISCONNECT, back).opcode()).isEqualTo(Opcode.DC_DISCONNECT);
        assertThat(forged(SEND, back).bth().solicited()).isFalse();
    }
}
