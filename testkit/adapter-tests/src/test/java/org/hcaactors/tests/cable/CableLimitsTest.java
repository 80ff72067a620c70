// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatRuntimeException;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.cable.CableException;
import org.hcaactors.fabric.cable.UdpCable;
import org.hcaactors.fabric.cable.UdpCable.PeerLimits;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.wire.DatagramEncoder;
import org.hcaactors.fabric.wire.UdpPorts;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;
import org.hcaactors.network.ShardDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Refusals and losses of cables, and networks that start again. */
class CableLimitsTest {
    private static final QKey QKEY = QKey.of(0x11);

    private final int port = Host.freePort();

    private Host host(int own, int peer) {
        return Host.behind(Host.cable(own, port, peer));
    }

    @Test
    void aPortThatAnotherNetworkHasIsRefused() {
        try (Host first = host(2, 3)) {
            assertThatExceptionOfType(CableException.class)
                    .isThrownBy(() -> host(2, 3))
                    .withMessageStartingWith("UDP 127.0.0.2 port " + port + ": ");
            assertThat(first.counted(CableCounter.SENT)).isZero();
        }
    }

    @Test
    void aWorldRefusesACable() {
        Environment world = Environment.production()
                .withCable(Host.cable(2, port, 3))
                .withAwaiter(new Environment.Awaiter() {
                    @Override
                    public <T> T await(CompletionStage<T> stage, Duration atMost, Supplier<String> reason) {
                        throw new AssertionError("nothing is started");
                    }

                    @Override
                    public boolean isSimulation() {
                        return true;
                    }
                });
        assertThatExceptionOfType(CableException.class)
                .isThrownBy(() -> RdmaNetwork.start(world))
                .withMessageStartingWith("a world has no cable to peers outside: its time is virtual");
    }

    @Test
    void aNetworkWithoutACableHasNoCounters() {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            assertThat(network.cableCounters()).isEmpty();
            assertThat(network.addAdapter("a", Profile.CONNECTX_5).gid()).isEqualTo(Gid.ofIpv4(10, 0, 0, 1));
        }
    }

    @Test
    void adaptersHaveTheAddressesOfTheCableInOrder() {
        UdpCable cable = Cable.udp(Host.loopback(2), Host.loopback(4))
                .withPeers(Host.loopback(3))
                .withPort(port);
        try (RdmaNetwork network = RdmaNetwork.start(Environment.production().withCable(cable))) {
            Adapter first = network.addAdapter("a", Profile.CONNECTX_5);
            Adapter second = network.addAdapter("b", Profile.CONNECTX_5);
            assertThat(first.gid()).isEqualTo(Gid.ofIpv4(127, 0, 0, 2));
            assertThat(second.gid()).isEqualTo(Gid.ofIpv4(127, 0, 0, 4));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> network.addAdapter("c", Profile.CONNECTX_5))
                    .withMessage("adapter c can't be added: the cable has 2 addresses, one for each adapter");
        }
    }

    @Test
    void anotherNetworkOnTheSameAddressServesAtOnce() {
        try (Host client = host(2, 3)) {
            MemoryClient before;
            try (Host server = host(3, 2)) {
                // A cut cable: the end of the server tells the client nothing.
                MemoryServer.serve(server);
                before = MemoryClient.connect(client, 3);
                before.roundTrip(4096, 1);
                server.network.intercept(transit -> new Verdict.Drop("cut"));
            }
            assertThat(before.write(0, 64)).isEqualTo(Status.RETRY_EXC_ERR);
            try (Host server = host(3, 2)) {
                MemoryServer.serve(server);
                MemoryClient.connect(client, 3).roundTrip(4096, 2);
            }
        }
    }

    // rule wire-peers
    @Test
    void datagramsOfStrangersAreCountedAndDisturbNobody() throws IOException {
        try (Host client = host(2, 3);
                Host server = host(3, 2);
                DatagramChannel stranger = DatagramChannel.open().bind(new InetSocketAddress(Host.loopback(9), 0))) {
            MemoryServer.serve(server);
            MemoryClient memory = MemoryClient.connect(client, 3);
            ByteBuffer forged = ByteBuffer.allocate(100);
            InetSocketAddress to = new InetSocketAddress(Host.loopback(3), port);
            Random random = new Random(1);
            for (int i = 0; i < 20_000; i++) {
                random.nextBytes(forged.array());
                stranger.send(forged.clear(), to);
            }
            memory.roundTrip(1 << 16, 3);
            assertThat(server.counted(CableCounter.STRANGERS)).isPositive();
            assertThat(server.counted(CableCounter.MALFORMED)).isZero();
        }
    }

    // rule wire-peers
    @Test
    void aFloodAtOneSocketLeavesTimeForTheOthers() throws Exception {
        UdpCable two = Cable.udp(Host.loopback(3), Host.loopback(4))
                .withPeers(Host.loopback(2))
                .withPort(port);
        try (Host client = host(2, 3);
                Host server = Host.behind(Environment.production().withCable(two));
                DatagramChannel stranger = DatagramChannel.open().bind(new InetSocketAddress(Host.loopback(9), 0))) {
            MemoryServer.serve(server);
            MemoryClient memory = MemoryClient.connect(client, 3);
            AtomicBoolean over = new AtomicBoolean();
            Thread flood = Thread.ofPlatform().start(() -> flood(stranger, over));
            try {
                memory.roundTrip(1 << 12, 5);
            } finally {
                over.set(true);
            }
            flood.join();
            assertThat(server.counted(CableCounter.STRANGERS)).isPositive();
        }
    }

    private void flood(DatagramChannel from, AtomicBoolean over) {
        InetSocketAddress to = new InetSocketAddress(Host.loopback(4), port);
        ByteBuffer forged = ByteBuffer.allocate(20);
        try {
            while (!over.get()) {
                from.send(forged.clear(), to);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    // rules wire-peers, wire-icrc-drop
    @Test
    void randomBytesFromThePeersAddressAreRefused() throws IOException {
        try (Host client = host(2, 3);
                Host server = host(3, 2);
                DatagramChannel other = DatagramChannel.open().bind(new InetSocketAddress(Host.loopback(2), 0))) {
            MemoryServer.serve(server);
            MemoryClient memory = MemoryClient.connect(client, 3);
            InetSocketAddress to = new InetSocketAddress(Host.loopback(3), port);
            Random random = new Random(2);
            for (int i = 0; i < 5_000; i++) {
                byte[] forged = new byte[random.nextInt(200)];
                random.nextBytes(forged);
                other.send(ByteBuffer.wrap(forged), to);
            }
            memory.roundTrip(1 << 16, 4);
            assertThat(server.counted(CableCounter.MALFORMED)).isPositive();
            assertThat(server.counted(CableCounter.ICRC_BAD)).isPositive();
            assertThat(server.counted(CableCounter.STRANGERS)).isZero();
        }
    }

    // rules qp-receive-buffer, wire-peers
    @Test
    void packetsForAQueuePairThatDoesNotRunAreBounded() throws IOException {
        Environment twoShards = Environment.production().withShards(2).withCable(Host.cable(3, port, 2));
        try (Host server = Host.behind(twoShards);
                DatagramChannel peer = DatagramChannel.open().bind(new InetSocketAddress(Host.loopback(2), port));
                ShardDriver driver = server.network.drive(1)) {
            RcQueuePair qp =
                    server.await(server.domain.createQp(QpDescription.rc().withShard(1)));
            server.await(qp.connect(Gid.ofIpv4(127, 0, 0, 2), 0x99, RcConnection.DEFAULT));
            Bth bth = Bth.of(Opcode.RC_ACKNOWLEDGE, false, true, 0, Bth.DEFAULT_PKEY, qp.number(), false, 7);
            Route route = new Route(PortAddress.ofIpv4(0x7F000002), PortAddress.ofIpv4(0x7F000003), 0, 64, 0, port);
            Packet ack = new Packet(route, bth, List.of(new ExtendedHeader.Aeth(0x1F, 1)), Octets.NONE);
            ByteBuffer contents = ByteBuffer.allocate(DatagramEncoder.lengthBytes(ack));
            DatagramEncoder.encode(ack, new UdpPorts(port, port), contents);
            await().until(() -> {
                for (int i = 0; i < 1000; i++) {
                    peer.send(contents.flip(), new InetSocketAddress(Host.loopback(3), port));
                }
                return server.adapter.counters().getOrDefault("rx_discards_phy", 0L) > 0;
            });
            assertThat(driver.progress()).isPositive();
        }
    }

    private static void sendDatagram(Host from, Gid to) {
        UdQueuePair qp = from.await(from.domain.createQp(QpDescription.ud()));
        from.await(qp.activate(QKEY));
        AddressHandle path = from.await(from.domain.createAddressHandle(AddressVector.to(to)));
        from.await(qp.submit(UdAddress.of(path, 0x22, QKEY), Send.of(1, from.region.slice(0, 64))));
    }

    // rule wire-peers
    @Test
    void aPacketToNoPeerIsCountedAndTraced() {
        try (Host client = host(2, 3)) {
            Queue<FabricEvent> events = new ConcurrentLinkedQueue<>();
            client.network.tap(events::add);
            sendDatagram(client, Gid.ofIpv4(127, 0, 0, 9));
            await().untilAsserted(() -> assertThat(events)
                    .filteredOn(FabricEvent.Dropped.class::isInstance)
                    .map(event -> ((FabricEvent.Dropped) event).port() + ": " + ((FabricEvent.Dropped) event).reason())
                    .containsExactly("cable: no peer of the cable has that address"));
            assertThat(client.counted(CableCounter.NO_PEER)).isEqualTo(1);
            assertThat(client.counted(CableCounter.SENT)).isZero();
        }
    }

    @Test
    void aPacketWithASourceThatNoSocketHasIsCounted() {
        try (Host client = host(2, 3)) {
            client.network.setGidTable(client.adapter, List.of(Gid.ofIpv4(127, 0, 0, 77)));
            sendDatagram(client, Gid.ofIpv4(127, 0, 0, 3));
            await().untilAsserted(() ->
                    assertThat(client.counted(CableCounter.NO_SOCKET)).isEqualTo(1));
        }
    }

    @Test
    void aQueueThatIsTooShortLosesPacketsAndRcRepeatsThem() {
        PeerLimits narrow = PeerLimits.DEFAULT.withPace(200_000_000, 4096).withQueue(8);
        try (Host client = Host.behind(Host.cable(2, port, 3).withLimits(narrow));
                Host server = host(3, 2)) {
            MemoryServer.serve(server);
            MemoryClient.connect(client, 3).roundTrip(1 << 16, 5);
            assertThat(client.counted(CableCounter.QUEUE_FULL)).isPositive();
        }
    }

    @Test
    void aPacedCableLosesNothing() {
        PeerLimits paced = PeerLimits.DEFAULT.withPace(400_000_000, 16_384);
        try (Host client = Host.behind(Host.cable(2, port, 3).withLimits(paced));
                Host server = Host.behind(Host.cable(3, port, 2).withLimits(paced))) {
            MemoryServer.serve(server);
            MemoryClient.connect(client, 3).roundTrip(1 << 18, 6);
            assertThat(client.counted(CableCounter.QUEUE_FULL)).isZero();
        }
    }

    // rule wire-back-pressure
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aReadThatIsLongerThanTheQueueLosesNothing(boolean observed) {
        PeerLimits narrow = PeerLimits.DEFAULT.withPace(400_000_000, 16_384).withQueue(512);
        try (Host client = host(2, 3);
                Host server = Host.behind(Host.cable(3, port, 2).withLimits(narrow))) {
            if (observed) {
                server.network.tap(event -> {});
            }
            MemoryServer.serve(server);
            MemoryClient.connect(client, 3).roundTrip(1 << 20, 7);
            assertThat(server.counted(CableCounter.SENT)).isGreaterThanOrEqualTo(1024);
            assertThat(server.counted(CableCounter.QUEUE_FULL)).isZero();
        }
    }

    private void assertFree(int address) throws IOException {
        new DatagramSocket(new InetSocketAddress(Host.loopback(address), port)).close();
    }

    @Test
    void afterClosingThePortIsFree() throws IOException {
        host(2, 3).close();
        assertFree(2);
    }

    @Test
    void inAnExistingActorSystemPortsAreFreeAfterClosing() throws IOException {
        ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "own");
        try {
            try (RdmaNetwork first =
                    RdmaNetwork.on(system, Environment.production().withCable(Host.cable(2, port, 3)))) {
                Environment second = Environment.production().withCable(Host.cable(3, port, 2));
                assertThatRuntimeException().isThrownBy(() -> RdmaNetwork.on(system, second));
                assertFree(3);
                assertThat(first.cableCounters()).isNotEmpty();
            }
            assertFree(2);
        } finally {
            system.terminate();
        }
    }
}
