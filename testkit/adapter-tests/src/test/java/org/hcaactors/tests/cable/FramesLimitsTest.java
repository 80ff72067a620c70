// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.cable.FramesCable;
import org.hcaactors.fabric.cable.MacAddress;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.Test;

/** Refusals, losses and addresses of cables of frames. */
class FramesLimitsTest {
    private static final QKey QKEY = QKey.of(0x11);
    private static final InetAddress CLIENT = address("10.9.0.1");
    private static final InetAddress CLIENT6 = address("fd00::1");
    private static final InetAddress SERVER = address("10.9.0.2");
    private static final InetAddress SERVER6 = address("fd00::2");

    private final int port = Host.freePort();
    private final int other = Host.freePort();
    private final FramesCable ofClient =
            Host.frames(port, other).withAdapter(CLIENT, CLIENT6).withPeers(SERVER, SERVER6);

    private static InetAddress address(String text) {
        return Gid.parse(text).toInetAddress();
    }

    @Test
    void anAdapterHasAllItsAddresses() {
        try (Host client = Host.behind(ofClient)) {
            assertThat(client.adapter.port(1).gidTable())
                    .startsWith(Gid.of(CLIENT), Gid.of(CLIENT6))
                    .hasSize(3);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> client.network.addAdapter("second", Profile.CONNECTX_5))
                    .withMessageContaining("the cable has 1 address, one for each adapter");
        }
    }

    // rule wire-one-ip-version
    @Test
    void anAdapterWithBothVersionsOfIpConnectsByEach() {
        FramesCable ofServer =
                Host.frames(other, port).withAdapter(SERVER, SERVER6).withPeers(CLIENT, CLIENT6);
        try (Host client = Host.behind(ofClient);
                Host server = Host.behind(ofServer)) {
            MemoryServer.serve(server);
            MemoryClient first = MemoryClient.connect(client, SERVER);
            MemoryClient second = MemoryClient.connect(client, SERVER6);
            first.roundTrip(5000, 1);
            second.roundTrip(5000, 2);
            assertThat(first.connection.local().getAddress()).isEqualTo(CLIENT);
            assertThat(second.connection.local().getAddress()).isEqualTo(CLIENT6);
        }
    }

    // rule wire-neighbours
    @Test
    void anAddressThatAnAdapterGetsLaterIsAnsweredFor() {
        FramesCable ofServer =
                Host.frames(other, port).withAdapter(address("10.9.0.77")).withPeers(CLIENT, CLIENT6);
        try (Host client = Host.behind(ofClient);
                Host server = Host.behind(ofServer)) {
            server.network.setGidTable(server.adapter, List.of(Gid.of(SERVER)));
            MemoryServer.serve(server);
            MemoryClient.connect(client, SERVER).roundTrip(5000, 3);
        }
    }

    // rule wire-neighbours
    @Test
    void aPacketToASilentPeerIsTracedAndCounted() {
        try (Host client = Host.behind(ofClient)) {
            Queue<FabricEvent> events = new ConcurrentLinkedQueue<>();
            client.network.tap(events::add);
            UdQueuePair from = client.await(client.domain.createQp(QpDescription.ud()));
            client.await(from.activate(QKEY));
            AddressHandle path = client.await(client.domain.createAddressHandle(AddressVector.to(Gid.of(SERVER))));
            client.await(from.submit(UdAddress.of(path, 0x22, QKEY), Send.of(1, client.region.slice(0, 64))));
            await().untilAsserted(() -> assertThat(events)
                    .filteredOn(FabricEvent.Dropped.class::isInstance)
                    .map(event -> ((FabricEvent.Dropped) event).port() + ": " + ((FabricEvent.Dropped) event).reason())
                    .containsExactly("cable: no host answers for the address 10.9.0.2"));
            assertThat(client.counted(CableCounter.NO_NEIGHBOUR)).isEqualTo(1);
            assertThat(client.counted(CableCounter.SENT)).isZero();
        }
    }

    // rules wire-peers, wire-neighbours
    @Test
    void framesThatAreForgedAtRandomDisturbNobody() throws IOException {
        int attacked = Host.freePort();
        try (DatagramChannel forger = DatagramChannel.open().bind(new InetSocketAddress(Host.loopback(1), 0));
                DatagramChannel stranger = DatagramChannel.open().bind(new InetSocketAddress(Host.loopback(1), 0));
                RdmaNetwork network = RdmaNetwork.start(Environment.production()
                        .withCable(Host.frames(attacked, ((InetSocketAddress) forger.getLocalAddress()).getPort())
                                .withAdapter(SERVER, SERVER6)
                                .withPeers(CLIENT)))) {
            Host server = new Host(network, "hca", Profile.CONNECTX_5);
            InetSocketAddress to = new InetSocketAddress(Host.loopback(1), attacked);
            Random random = new Random(1);
            for (int i = 0; i < 20_000; i++) {
                forger.send(ByteBuffer.wrap(forged(random)), to);
                stranger.send(ByteBuffer.wrap(forged(random)), to);
            }
            await().untilAsserted(() -> {
                assertThat(server.counted(CableCounter.STRANGERS)).isPositive();
                assertThat(server.counted(CableCounter.NEIGHBOUR_RECEIVED)).isPositive();
                assertThat(server.counted(CableCounter.MALFORMED)).isPositive();
                assertThat(server.counted(CableCounter.OTHER_FRAMES)).isPositive();
            });
            assertThat(server.counted(CableCounter.RECEIVED)).isZero();
        }
    }

    /** Returns random bytes behind the header of a frame to the adapter. */
    private static byte[] forged(Random random) {
        byte[] frame = new byte[14 + random.nextInt(100)];
        random.nextBytes(frame);
        ByteBuffer header = ByteBuffer.wrap(frame);
        MacAddress.of(SERVER).write(header);
        int[] types = {0x0800, 0x0806, 0x86DD, 0x8100};
        header.putShort(12, (short) types[random.nextInt(types.length)]);
        if (frame.length > 14 && random.nextBoolean()) {
            frame[14] = (byte) (header.getShort(12) == 0x0800 ? 0x45 : 0x60);
        }
        return frame;
    }
}
