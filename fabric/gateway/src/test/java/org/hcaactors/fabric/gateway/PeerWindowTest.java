// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.hcaactors.fabric.actor.FabricActor;
import org.hcaactors.fabric.actor.FabricReference;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.cable.UdpCable;
import org.hcaactors.fabric.link.Epoch;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.uplink.UplinkCounters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PeerWindowTest {
    private static final long READ = PeerWindow.READ_NANOS;
    private static final long LOST = PeerWindow.LOST_NANOS;

    private final PeerWindow window = new PeerWindow(WindowSize.ofPackets(4));

    private void send(int... psns) {
        for (int psn : psns) {
            assertThat(window.isOpen(0)).isTrue();
            window.sent(request(psn), 0);
        }
    }

    private static Packet request(int psn) {
        Bth bth = Bth.of(Opcode.RC_SEND_ONLY, false, true, 0, Bth.DEFAULT_PKEY, 0x11, true, psn);
        return new Packet(Packets.route(2, 3), bth, List.of(), Octets.NONE);
    }

    private static Packet response(int psn) {
        Bth bth = Bth.of(Opcode.RC_ACKNOWLEDGE, false, true, 0, Bth.DEFAULT_PKEY, 0x11, false, psn);
        return new Packet(Packets.route(3, 2), bth, List.of(new ExtendedHeader.Aeth(0x1F, 1)), Octets.NONE);
    }

    // rule wire-window
    @Test
    void soManyPacketsAreUnderWayAndNoMore() {
        send(10, 11, 12, 13);
        assertThat(window.isOpen(0)).isFalse();
        assertThat(window.underWay()).isEqualTo(4);
    }

    // rule wire-window
    @Test
    void aResponseCoversEverythingThatWasSentBefore() {
        send(10, 500, 11, 501);
        assertThat(window.answered(11)).isFalse();
        assertThat(window.underWay()).isEqualTo(1);
        send(12, 13, 14);
        assertThat(window.isOpen(0)).isFalse();
        assertThat(window.answered(14)).isTrue();
        assertThat(window.underWay()).isZero();
    }

    // rule wire-window
    @Test
    void onlyAWriterThatWaitsIsWoken() {
        send(10, 11);
        assertThat(window.answered(10)).isFalse();
        send(12, 13, 14);
        assertThat(window.isOpen(0)).isFalse();
        assertThat(window.answered(11)).isTrue();
        assertThat(window.answered(12)).isFalse();
    }

    // rule wire-window
    @Test
    void aResponseToNothingUnderWayChangesNothing() {
        send(10, 11, 12, 13);
        window.answered(9);
        window.answered(11);
        window.answered(10);
        assertThat(window.underWay()).isEqualTo(2);
    }

    // rule wire-window
    @Test
    void anEqualPsnCountsForTheFirstPacket() {
        send(10, 20, 10, 30);
        window.answered(10);
        assertThat(window.underWay()).isEqualTo(3);
    }

    // rule wire-window
    @Test
    void packetsWithoutResponseCountAsReadAfterSomeTime() {
        for (int time = 100; time < 500; time += 100) {
            window.sent(Packets.datagram(2, 3, 0x11, Octets.NONE), time);
        }
        window.answered(0);
        assertThat(window.isOpen(100 + READ - 1)).isFalse();
        assertThat(window.opensAt(500)).isEqualTo(100 + READ);
        assertThat(window.isOpen(100 + READ)).isTrue();
        assertThat(window.underWay()).isEqualTo(3);
    }

    // rule wire-window
    @Test
    void responsesOfOurOwnCountAsReadAfterSomeTime() {
        for (int i = 0; i < 4; i++) {
            window.sent(response(10), 100);
        }
        window.answered(10);
        assertThat(window.isOpen(100 + READ - 1)).isFalse();
        assertThat(window.isOpen(100 + READ)).isTrue();
    }

    // rule wire-window
    @Test
    void packetsInsideOfAMessageAskAfterHalfOfTheWindow() {
        List<Boolean> asked = new ArrayList<>();
        for (int psn = 0; psn < 4; psn++) {
            asked.add(window.sent(Packets.send(2, 3, psn, 8), 100));
        }
        assertThat(asked).containsExactly(false, true, false, true);
        assertThat(window.isOpen(100 + LOST - 1)).isFalse();
        window.answered(1);
        assertThat(window.underWay()).isEqualTo(2);
    }

    // rules wire-window, rc-nak-once
    @Test
    void behindARefusalRequestsCountAsReadAfterSomeTime() {
        send(10, 11, 12, 13);
        assertThat(window.isOpen(READ)).isFalse();
        assertThat(window.refused(9)).as("the writer waits").isTrue();
        assertThat(window.opensAt(0)).isEqualTo(READ);
        assertThat(window.isOpen(READ)).isTrue();
        assertThat(window.underWay()).isZero();
    }

    // rule wire-window
    @Test
    void afterAnAcknowledgementRequestsAreAwaitedAgain() {
        send(10, 11, 12, 13);
        window.refused(10);
        window.answered(11);
        assertThat(window.isOpen(LOST - 1)).isTrue();
        assertThat(window.underWay()).isEqualTo(2);
    }

    // rule wire-window
    @Test
    void aRequestThatAsksByItselfIsNotAskedTwice() {
        assertThat(window.sent(Packets.send(2, 3, 1, 8), 0)).isFalse();
        assertThat(window.sent(request(2), 0)).isFalse();
        assertThat(window.sent(Packets.send(2, 3, 3, 8), 0)).isFalse();
        assertThat(window.sent(Packets.send(2, 3, 4, 8), 0)).isTrue();
    }

    // rule wire-window
    @Test
    void longRequestsAskAfterHalfOfTheBuffer() {
        PeerWindow buffer = new PeerWindow(new WindowSize(100, 4L * WindowSize.takes(4112)));
        assertThat(buffer.sent(Packets.send(2, 3, 1, 4096), 0)).isFalse();
        assertThat(buffer.sent(Packets.send(2, 3, 2, 4096), 0)).isTrue();
        assertThat(buffer.sent(Packets.send(2, 3, 3, 4096), 0)).isFalse();
    }

    // rule wire-window
    @Test
    void aNakInsideOfAMessageCoversItsPacket() {
        for (int psn = 0; psn < 4; psn++) {
            window.sent(Packets.send(2, 3, psn, 8), 100);
        }
        window.answered(2);
        assertThat(window.underWay()).isEqualTo(1);
    }

    // rule wire-window
    @Test
    void aRequestWithoutResponseCountsAsLostAfterALongerTime() {
        send(10, 11, 12, 13);
        assertThat(window.isOpen(LOST - 1)).isFalse();
        assertThat(window.opensAt(READ)).isEqualTo(LOST);
        assertThat(window.isOpen(LOST)).isTrue();
        assertThat(window.underWay()).isZero();
    }

    @Test
    void anOpenWindowIsOpenNow() {
        send(10);
        assertThat(window.opensAt(7)).isEqualTo(7);
    }

    @Test
    void longAfterTheFirstPositionsAreUsedAgain() {
        for (int psn = 0; psn < 1000; psn++) {
            send(psn);
            window.answered(psn);
            assertThat(window.underWay()).isZero();
        }
    }

    // rule wire-window
    @Test
    void aBufferHoldsMoreShortPacketsThanLongOnes() {
        int small = WindowSize.takes(80);
        PeerWindow buffer = new PeerWindow(new WindowSize(100, 20L * small));
        int sent = 0;
        while (buffer.isOpen(0)) {
            buffer.sent(Packets.send(2, 3, sent++, 64), 0);
        }
        assertThat(sent).isEqualTo(20);
        assertThat(buffer.isOpen(LOST)).isTrue();
        while (buffer.isOpen(LOST)) {
            buffer.sent(Packets.send(2, 3, sent++, 4096), LOST);
        }
        assertThat(buffer.underWay()).isEqualTo(4);
    }

    // rule wire-window
    @Test
    @Timeout(value = 10, unit = TimeUnit.SECONDS)
    void theReaderWakesTheWriterWhenAWindowOpens() throws InterruptedException {
        UdpCable cable = Cable.udp(Packets.loopback(2));
        FabricReference fabric =
                new FabricReference(TestInbox.<FabricActor.Command>create().getRef(), new Epoch());
        Losses losses = new Losses(new UplinkCounters<>(CableCounter.class, CableCounter::text), fabric);
        try (UdpSockets sockets = UdpSockets.open(cable.withPort(freePort()))) {
            Outbox outbox = new Outbox(
                    new Credits(),
                    losses,
                    new Transmitter(
                            new UdpSender(cable, sockets, losses),
                            new PeerQueues(Map.of(), cable.limits()),
                            losses,
                            System::nanoTime));
            Responses responses = new Responses(Map.of(Packets.port(3), window), outbox);
            send(10, 11, 12, 13);
            assertThat(window.isOpen(0)).isFalse();
            responses.arrived(Packets.send(3, 2, 10, 8));
            responses.arrived(response(10));
            outbox.sleep(Long.MAX_VALUE);
            assertThat(window.underWay()).isEqualTo(3);
        }
    }

    private static int freePort() {
        try (DatagramSocket any = new DatagramSocket(new InetSocketAddress(0))) {
            return any.getLocalPort();
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }
}
