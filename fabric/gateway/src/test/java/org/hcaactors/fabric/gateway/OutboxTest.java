// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.hcaactors.fabric.actor.FabricActor;
import org.hcaactors.fabric.actor.FabricReference;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.cable.UdpCable;
import org.hcaactors.fabric.cable.UdpCable.PeerLimits;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.link.Epoch;
import org.hcaactors.fabric.link.Receiver;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.uplink.UplinkCounters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The outbox with sockets and without a writer: the test calls its turns. */
class OutboxTest {
    private static final long[] UNTRACED = {};
    private static final int WINDOW = 100;
    private static final int PSN_AT = 8;

    private final int port = freePort();
    private final UdpCable cable = Cable.udp(Packets.loopback(2))
            .withPeers(Packets.loopback(3), Packets.loopback(4))
            .withPort(port)
            .withLimits(PeerLimits.DEFAULT.withWindow(WINDOW));
    private final UdpSockets sockets = UdpSockets.open(cable);
    private final DatagramChannel peer = peer(port);
    private final TestInbox<FabricActor.Command> fabric = TestInbox.create();
    private final UplinkCounters<CableCounter> counters = new UplinkCounters<>(CableCounter.class, CableCounter::text);
    private final Credits credits = new Credits();
    private final Map<PortAddress, PeerWindow> windows = new LinkedHashMap<>();
    private final AtomicInteger returned = new AtomicInteger();
    private final Endpoint sender = new Endpoint(Packets.port(2), 0x11, new Receiver() {
        @Override
        public void deliver(Packet[] batch, long[] traceIds) {}

        @Override
        public void corrupted() {}

        @Override
        public void credit(int packets) {
            returned.addAndGet(packets);
        }
    });
    private final Outbox outbox = outbox();
    private long now;

    private Outbox outbox() {
        for (int last = 3; last <= 4; last++) {
            windows.put(Packets.port(last), new PeerWindow(WindowSize.ofPackets(WINDOW)));
        }
        Losses losses = new Losses(counters, new FabricReference(fabric.getRef(), new Epoch()));
        PeerQueues queues = new PeerQueues(windows, cable.limits());
        PacketSender packets = new UdpSender(cable, sockets, losses);
        return new Outbox(credits, losses, new Transmitter(packets, queues, losses, () -> now));
    }

    private static int freePort() {
        try (DatagramSocket any = new DatagramSocket(new InetSocketAddress(0))) {
            return any.getLocalPort();
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    private static DatagramChannel peer(int port) {
        try {
            DatagramChannel opened = DatagramChannel.open().bind(new InetSocketAddress(Packets.loopback(3), port));
            opened.configureBlocking(false);
            return opened;
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    @AfterEach
    void close() throws IOException {
        peer.close();
        sockets.close();
    }

    private static Packet[] packets(int peer, int firstPsn, int count) {
        return IntStream.range(firstPsn, firstPsn + count)
                .mapToObj(psn -> Packets.send(2, peer, psn, 8))
                .toArray(Packet[]::new);
    }

    private int leave(int firstPsn, int count) {
        return outbox.leave(sender, packets(3, firstPsn, count), UNTRACED);
    }

    /** Returns the PSNs of the datagrams that the peer has received by now. */
    private List<Integer> received() throws IOException {
        List<Integer> psns = new ArrayList<>();
        ByteBuffer contents = ByteBuffer.allocate(1000);
        while (peer.receive(contents.clear()) != null) {
            psns.add(contents.getInt(PSN_AT) & 0xFF_FFFF);
        }
        return psns;
    }

    private void fill() {
        for (int i = 0; i < Outbox.MAX_PACKETS / 64; i++) {
            leave(0, 64);
        }
    }

    @Test
    void aFewPacketsAreSentByTheThreadThatBringsThem() throws IOException {
        leave(7, Outbox.MAX_SENT_HERE);
        assertThat(received()).containsExactly(7, 8, 9, 10);
    }

    @Test
    void manyPacketsAreLeftToTheWriter() throws IOException {
        leave(0, Outbox.MAX_SENT_HERE + 1);
        assertThat(received()).isEmpty();
        Outbox.Turn turn = outbox.turn();
        assertThat(received()).containsExactly(0, 1, 2, 3, 4);
        assertThat(turn.nanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aFewPacketsDoNotOvertakeMany() throws IOException {
        leave(0, 10);
        leave(10, 1);
        outbox.turn();
        assertThat(received()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    }

    // rule wire-back-pressure
    @Test
    void creditsReturnWhenPacketsHaveLeft() throws IOException {
        assertThat(leave(0, 64)).isEqualTo(64);
        assertThat(leave(64, 64)).isEqualTo(64);
        outbox.turn();
        outbox.turn();
        assertThat(received()).hasSize(WINDOW);
        assertThat(returned).hasValue(64);
        now += PeerWindow.LOST_NANOS;
        outbox.turn();
        assertThat(returned).hasValue(128);
    }

    // rule wire-window
    @Test
    void aPeerThatIsGoneDelaysNoOther() throws IOException {
        outbox.leave(sender, packets(4, 0, 64), UNTRACED);
        outbox.leave(sender, packets(4, 64, 64), UNTRACED);
        Outbox.Turn turn = outbox.turn();
        while (turn.nanos() == 0) {
            turn = outbox.turn();
        }
        assertThat(turn.nanos()).isEqualTo(PeerWindow.LOST_NANOS);
        leave(5, 1);
        assertThat(received()).containsExactly(5);
    }

    // rule wire-back-pressure
    @Test
    void lostPacketsReturnTheirCredits() throws IOException {
        outbox.leave(sender, packets(9, 0, 64), UNTRACED);
        outbox.turn();
        assertThat(counters.of(CableCounter.NO_PEER)).isEqualTo(64);
        assertThat(returned).hasValue(64);
    }

    // rule wire-icrc-drop
    @Test
    void aDamagedPacketLeavesWithItsFrame() throws IOException {
        Packet packet = packets(3, 12, 1)[0];
        outbox.damaged(packet, Octets.copyOf(new byte[packet.frameBytes()]));
        assertThat(received()).containsExactly(0);
    }

    @Test
    void packetsBeyondTheMaximumAreLostAndCounted() {
        fill();
        assertThat(leave(0, 3)).isZero();
        assertThat(counters.of(CableCounter.QUEUE_FULL)).isEqualTo(3);
        assertThat(fabric.hasMessages()).isFalse();
    }

    @Test
    void aTracedPacketThatIsLostIsShown() {
        fill();
        Packet[] lost = packets(3, 0, 1);
        outbox.leave(sender, lost, new long[] {9});
        fabric.expectMessage(new FabricActor.NotSent(lost[0], Outbox.MAX_PACKETS + " packets wait for the cable", 9));
    }

    @Test
    void aTracedPacketToNoPeerIsShown() {
        Packet[] lost = packets(9, 0, 1);
        outbox.leave(sender, lost, new long[] {9});
        fabric.expectMessage(new FabricActor.NotSent(lost[0], "no peer of the cable has that address", 9));
    }

    @Test
    void theLastTurnSendsWhateverTheWindow() throws IOException {
        leave(0, 64);
        leave(64, 64);
        outbox.end();
        assertThat(outbox.isEnded()).isTrue();
        assertThat(outbox.lastTurn().nanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(received()).hasSize(128);
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.SECONDS)
    void packetsAndWakesEndTheSleepOfTheWriter() throws InterruptedException {
        leave(0, 64);
        outbox.sleep(Long.MAX_VALUE);
        outbox.wake();
        outbox.sleep(Long.MAX_VALUE);
        outbox.end();
        outbox.sleep(Long.MAX_VALUE);
        assertThat(outbox.isEnded()).isTrue();
    }

    @Test
    void creditsOfTheFabricAreThoseOfTheReader() throws InterruptedException {
        int all = credits.takeAll();
        outbox.credit(128);
        assertThat(credits.takeAll()).isEqualTo(128);
        assertThat(all).isEqualTo(256);
    }
}
