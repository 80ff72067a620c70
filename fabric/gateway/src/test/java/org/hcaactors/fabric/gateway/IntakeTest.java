// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.mad.CmAttribute;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.uplink.UplinkCounters;
import org.hcaactors.fabric.wire.Decoded;
import org.hcaactors.fabric.wire.FrameDecoder;
import org.hcaactors.fabric.wire.FrameEncoder;
import org.hcaactors.fabric.wire.LinkLayer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IntakeTest {
    private static final int PORT = 4791;
    private static final int MTU = 1500;
    private static final int REQUESTS = 3;
    private static final long SECOND = 1_000_000_000;
    private static final InetSocketAddress PEER = new InetSocketAddress(Packets.loopback(3), PORT);
    private static final int FRAME_HEADERS = 14 + 20 + 8;

    private final UplinkCounters<CableCounter> counters = new UplinkCounters<>(CableCounter.class, CableCounter::text);
    private final Intake intake = new Intake(List.of(Packets.loopback(3)), PORT, MTU, REQUESTS, counters);

    private Received read(Packet packet) {
        return read(Packets.contents(packet, PORT, PORT), 0);
    }

    private Received read(byte[] contents, long now) {
        assertThat(intake.accepts(PEER, contents.length)).isTrue();
        return intake.read(PEER, Packets.port(2), contents, now);
    }

    private static Packet whole(Received received) {
        return ((Received.Whole) received).packet();
    }

    private static byte[] withIdentification(Packet packet, int identification) {
        Route route = packet.route().withUdpSourcePort(PORT).withIdentification(identification);
        byte[] frame = FrameEncoder.encode(packet.withRoute(route));
        return Arrays.copyOfRange(frame, FRAME_HEADERS, frame.length);
    }

    @Test
    void aPacketOfAPeerHasTheAddressesOfItsDatagram() {
        Packet read = whole(read(Packets.send(3, 2, 7, 64)));
        assertThat(read.psn()).isEqualTo(7);
        assertThat(read.route().source()).isEqualTo(Packets.port(3));
        assertThat(read.route().destination()).isEqualTo(Packets.port(2));
        assertThat(read.route().udpSourcePort()).isEqualTo(PORT);
        assertThat(counters.of(CableCounter.ICRC_VERIFIED)).isEqualTo(1);
    }

    // rule wire-peers
    @Test
    void aDatagramOfAnotherAddressIsRefusedAndCounted() {
        InetSocketAddress stranger = new InetSocketAddress(Packets.loopback(4), PORT);
        assertThat(intake.accepts(stranger, 100)).isFalse();
        assertThat(counters.of(CableCounter.STRANGERS)).isEqualTo(1);
        assertThat(intake.read(stranger, Packets.port(2), new byte[100], 0))
                .isEqualTo(new Received.Refused(CableCounter.STRANGERS));
    }

    // rule wire-peers
    @Test
    void aPeerMaySendFromAnyPort() {
        InetSocketAddress from = new InetSocketAddress(Packets.loopback(3), 50_000);
        byte[] contents = Packets.contents(Packets.send(3, 2, 7, 64), 50_000, PORT);
        assertThat(intake.accepts(from, contents.length)).isTrue();
        assertThat(whole(intake.read(from, Packets.port(2), contents, 0))
                        .route()
                        .udpSourcePort())
                .isEqualTo(50_000);
    }

    // rule wire-peers
    @Test
    void aDatagramLongerThanTheMtuIsRefused() {
        assertThat(intake.accepts(PEER, MTU - 28)).isTrue();
        assertThat(intake.accepts(PEER, MTU - 27)).isFalse();
        assertThat(counters.of(CableCounter.TOO_LONG)).isEqualTo(1);
    }

    @Test
    void bytesThatAreNoPacketAreRefused() {
        assertThat(read(new byte[3], 0)).isEqualTo(new Received.Refused(CableCounter.MALFORMED));
        assertThat(counters.of(CableCounter.MALFORMED)).isEqualTo(1);
    }

    // rule wire-icrc-drop
    @Test
    void aWrongIcrcEntersAsADamagedFrame() {
        byte[] wrong = Packets.contents(Packets.send(3, 2, 7, 64), PORT, PORT);
        wrong[20] ^= 4;
        assertThat(read(wrong, 0)).isInstanceOfSatisfying(Received.Damaged.class, damaged -> {
            assertThat(damaged.packet().psn()).isEqualTo(7);
            assertThat(FrameDecoder.decode(damaged.frame().toArray(), LinkLayer.ETHERNET))
                    .isInstanceOfSatisfying(Decoded.Frame.class, frame -> {
                        assertThat(frame.frame().icrcOk()).isFalse();
                        assertThat(frame.frame().packet()).isEqualTo(damaged.packet());
                    });
        });
        assertThat(counters.of(CableCounter.ICRC_BAD)).isEqualTo(1);
    }

    // rule wire-identification
    @Test
    void anIdentificationIsFoundAndShownToDatagramsOnly() {
        Packet connected = whole(read(withIdentification(Packets.send(3, 2, 7, 64), 0x92bb), 0));
        Packet datagram =
                whole(read(withIdentification(Packets.datagram(3, 2, 0x11, Octets.copyOf(new byte[8])), 0x92bb), 0));
        assertThat(connected.route().identification()).isZero();
        assertThat(datagram.route().identification()).isEqualTo(0x92bb);
        assertThat(counters.of(CableCounter.ICRC_VERIFIED_WITH_ID)).isEqualTo(2);
    }

    @Test
    void packetsOfAPeerShareTheirRoute() {
        Packet first = whole(read(Packets.send(3, 2, 1, 64)));
        Packet second = whole(read(withIdentification(Packets.send(3, 2, 2, 64), 5), 0));
        assertThat(second.route()).isSameAs(first.route());
    }

    @Test
    void routesOfAPeerWithManyPortsAreBounded() {
        Packet packet = Packets.send(3, 2, 1, 8);
        for (int port = 1; port <= 5000; port++) {
            InetSocketAddress from = new InetSocketAddress(Packets.loopback(3), port);
            assertThat(whole(intake.read(from, Packets.port(2), Packets.contents(packet, port, PORT), 0))
                            .route()
                            .udpSourcePort())
                    .isEqualTo(port);
        }
        assertThat(intake.routesOf(Packets.loopback(3))).isBetween(1, 1024);
    }

    private static Packet management(CmAttribute attribute) {
        byte[] mad = new byte[CmDatagram.BYTES];
        mad[17] = (byte) attribute.id();
        return Packets.datagram(3, 2, CmDatagram.QP_NUMBER, Octets.copyOf(mad));
    }

    // rule wire-peers
    @ParameterizedTest
    @EnumSource(names = {"REQ", "SIDR_REQ"})
    void requestsOfAPeerAreLimited(CmAttribute request) {
        byte[] contents = Packets.contents(management(request), PORT, PORT);
        for (int i = 0; i < REQUESTS; i++) {
            assertThat(read(contents.clone(), 0)).isInstanceOf(Received.Whole.class);
        }
        assertThat(read(contents.clone(), 0)).isEqualTo(new Received.Refused(CableCounter.TOO_MANY_REQUESTS));
        assertThat(read(contents.clone(), SECOND)).isInstanceOf(Received.Whole.class);
        assertThat(counters.of(CableCounter.TOO_MANY_REQUESTS)).isEqualTo(1);
    }

    // rule wire-peers
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"REQ", "SIDR_REQ"})
    void otherMessagesOfAPeerAreNotLimited(CmAttribute message) {
        byte[] contents = Packets.contents(management(message), PORT, PORT);
        for (int i = 0; i < 10 * REQUESTS; i++) {
            assertThat(read(contents.clone(), 0)).isInstanceOf(Received.Whole.class);
        }
    }

    @Test
    void datagramsToOtherQueuePairsAreNotLimited() {
        byte[] mad = new byte[CmDatagram.BYTES];
        mad[17] = (byte) CmAttribute.REQ.id();
        byte[] contents = Packets.contents(Packets.datagram(3, 2, 0x11, Octets.copyOf(mad)), PORT, PORT);
        for (int i = 0; i < 10 * REQUESTS; i++) {
            assertThat(read(contents.clone(), 0)).isInstanceOf(Received.Whole.class);
        }
    }
}
