// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.fabric.actor.FabricActor;
import org.hcaactors.fabric.actor.FabricReference;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.cable.UdpCable;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.link.Epoch;
import org.hcaactors.fabric.link.FabricLimits;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.link.Receiver;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.uplink.Polling;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A gateway between a fabric with one queue pair and a socket, on real threads. */
class GatewayTest {
    private static final int QP = 0x11;

    private final ActorTestKit pekko = ActorTestKit.create(ConfigFactory.load());
    private final int port = freePort();
    private final UdpCable cable =
            Cable.udp(Packets.loopback(2)).withPeers(Packets.loopback(3)).withPort(port);
    private final Gateway gateway = Gateway.open(cable);

    private static final class Inbox implements Receiver {
        final BlockingQueue<Packet> packets = new LinkedBlockingQueue<>();
        final BlockingQueue<Integer> damaged = new LinkedBlockingQueue<>();

        @Override
        public void deliver(Packet[] batch, long[] traceIds) {
            packets.addAll(Arrays.asList(batch));
        }

        @Override
        public void corrupted() {
            damaged.add(1);
        }

        @Override
        public void credit(int packets) {}
    }

    private static int freePort() {
        try (DatagramSocket any = new DatagramSocket(new InetSocketAddress(0))) {
            return any.getLocalPort();
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    @AfterEach
    void end() {
        gateway.close();
        pekko.shutdownTestKit();
    }

    private FabricReference fabric(Epoch epoch) {
        ActorRef<FabricActor.Command> actor = pekko.spawn(FabricActor.create(
                FabricLimits.DEFAULT, TraceSink.NONE, System::nanoTime, thrown -> {}, epoch, endpoints -> {}));
        return new FabricReference(actor, epoch);
    }

    private static Endpoint plugged(FabricReference fabric, Receiver receiver) {
        Endpoint end = new Endpoint(Packets.port(2), QP, receiver);
        fabric.tell(new FabricActor.PlugPort("a", Packets.port(2), LinkProperties.IDEAL));
        fabric.tell(new FabricActor.Attach(end));
        return end;
    }

    private DatagramChannel peer() throws IOException {
        return DatagramChannel.open().bind(new InetSocketAddress(Packets.loopback(3), port));
    }

    private void send(DatagramChannel from, byte[] contents) throws IOException {
        from.send(ByteBuffer.wrap(contents), new InetSocketAddress(Packets.loopback(2), port));
    }

    private byte[] contents(int psn) {
        return Packets.contents(Packets.send(3, 2, psn, 64), port, port);
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(10, TimeUnit.SECONDS);
        assertThat(next).as("what comes within 10 s").isNotNull();
        return next;
    }

    @Test
    void packetsCrossInBothDirections() throws Exception {
        FabricReference fabric = fabric(new Epoch());
        Inbox inbox = new Inbox();
        Endpoint end = plugged(fabric, inbox);
        pekko.spawn(GatewayActor.create(gateway, fabric, System::nanoTime, Runnable::run));
        try (DatagramChannel peer = peer()) {
            send(peer, contents(7));
            assertThat(next(inbox.packets).psn()).isEqualTo(7);
            Packet out = Packets.send(2, 3, 8, 100);
            fabric.send(end, new Packet[] {out});
            ByteBuffer received = ByteBuffer.allocate(1000);
            peer.receive(received);
            assertThat(Arrays.copyOf(received.array(), received.position()))
                    .isEqualTo(Packets.contents(out, port, port));
        }
    }

    // rule wire-icrc-drop
    @Test
    void aWrongIcrcIsCountedByTheQueuePair() throws Exception {
        FabricReference fabric = fabric(new Epoch());
        Inbox inbox = new Inbox();
        plugged(fabric, inbox);
        pekko.spawn(GatewayActor.create(gateway, fabric, System::nanoTime, Runnable::run));
        try (DatagramChannel peer = peer()) {
            byte[] wrong = contents(7);
            wrong[30] ^= 1;
            send(peer, wrong);
            next(inbox.damaged);
            assertThat(inbox.packets).isEmpty();
        }
    }

    @Test
    void aThreadThatFailsIsStartedAgain() throws Exception {
        AtomicBoolean fails = new AtomicBoolean(true);
        FabricReference fabric = fabric(new Epoch());
        Inbox inbox = new Inbox();
        plugged(fabric, inbox);
        pekko.spawn(GatewayActor.create(
                gateway,
                fabric,
                () -> {
                    if (Thread.currentThread().getName().equals("hca-cable-reader") && fails.getAndSet(false)) {
                        throw new IllegalStateException("planned by this test");
                    }
                    return System.nanoTime();
                },
                Runnable::run));
        try (DatagramChannel peer = peer()) {
            send(peer, contents(1));
            send(peer, contents(2));
            assertThat(next(inbox.packets).psn()).isEqualTo(2);
            assertThat(fails).isFalse();
        }
    }

    @Test
    void withoutCreditsTheSocketIsNotRead() throws Exception {
        // This fabric takes no command, so it returns no credits.
        TestProbe<FabricActor.Command> fabric = pekko.createTestProbe();
        pekko.spawn(GatewayActor.create(
                gateway, new FabricReference(fabric.ref(), new Epoch()), System::nanoTime, Runnable::run));
        try (DatagramChannel peer = peer()) {
            for (int psn = 0; psn < 400; psn++) {
                send(peer, contents(psn));
            }
            fabric.awaitAssert(Duration.ofSeconds(10), () -> {
                assertThat(gateway.counters()).containsEntry(CableCounter.RECEIVED.text(), 256L);
                return true;
            });
            gateway.close();
            assertThat(gateway.counters()).containsEntry(CableCounter.RECEIVED.text(), 256L);
        }
    }

    @Test
    void aThreadThatPollsReadsAndThenTheReaderAgain() throws Exception {
        AtomicLong time = new AtomicLong();
        Polling polling = new Polling(time::get);
        FabricReference fabric = fabric(new Epoch());
        Inbox inbox = new Inbox();
        plugged(fabric, inbox);
        pekko.spawn(GatewayActor.create(gateway, fabric, System::nanoTime, Runnable::run));
        try (DatagramChannel peer = peer()) {
            polling.note();
            int psn = 0;
            for (int read = 0; read == 0; psn++) {
                assertThat(psn)
                        .as("datagrams that the reader read though a thread polls")
                        .isLessThan(1000);
                send(peer, contents(psn));
                while (read == 0 && inbox.packets.isEmpty()) {
                    read = gateway.poll(polling);
                }
                assertThat(next(inbox.packets).psn()).isEqualTo(psn);
            }
            time.addAndGet(Polling.RECENT_NANOS);
            send(peer, contents(psn));
            assertThat(next(inbox.packets).psn()).isEqualTo(psn);
        }
        gateway.close();
        assertThat(gateway.poll(polling)).as("datagrams of closed sockets").isZero();
    }

    @Test
    void aPollWithoutCreditsReadsNothingAndDoesNotWait() throws Exception {
        // This fabric takes no command, so it returns no credits.
        TestProbe<FabricActor.Command> fabric = pekko.createTestProbe();
        pekko.spawn(GatewayActor.create(
                gateway, new FabricReference(fabric.ref(), new Epoch()), System::nanoTime, Runnable::run));
        Polling polling = new Polling(() -> 0);
        polling.note();
        try (DatagramChannel peer = peer()) {
            for (int psn = 0; psn < 400; psn++) {
                send(peer, contents(psn));
            }
            fabric.awaitAssert(Duration.ofSeconds(10), () -> {
                gateway.poll(polling);
                assertThat(gateway.counters()).containsEntry(CableCounter.RECEIVED.text(), 256L);
                return true;
            });
            assertThat(gateway.poll(polling)).isZero();
        }
    }

    @Test
    void theEndOfTheActorClosesTheSockets() throws Exception {
        ActorRef<GatewayActor.Command> actor =
                pekko.spawn(GatewayActor.create(gateway, fabric(new Epoch()), System::nanoTime, Runnable::run));
        pekko.stop(actor);
        new DatagramSocket(new InetSocketAddress(Packets.loopback(2), port)).close();
    }

    @Test
    void packetsLeaveBeforeTheGatewayEnds() throws Exception {
        FabricReference fabric = fabric(new Epoch());
        Endpoint end = plugged(fabric, new Inbox());
        ActorRef<GatewayActor.Command> actor =
                pekko.spawn(GatewayActor.create(gateway, fabric, System::nanoTime, Runnable::run));
        try (DatagramChannel peer = peer()) {
            TestProbe<Object> probe = pekko.createTestProbe();
            fabric.send(end, new Packet[] {Packets.send(2, 3, 8, 100)});
            probe.awaitAssert(Duration.ofSeconds(10), () -> {
                assertThat(gateway.counters()).containsEntry(CableCounter.SENT.text(), 1L);
                return true;
            });
            pekko.stop(actor);
            ByteBuffer received = ByteBuffer.allocate(1000);
            peer.receive(received);
            assertThat(received.position()).isPositive();
        }
    }

    @Test
    void closingTwiceHasNoFurtherEffect() {
        gateway.close();
        gateway.close();
        assertThat(gateway.counters()).containsEntry(CableCounter.SENT.text(), 0L);
    }
}
