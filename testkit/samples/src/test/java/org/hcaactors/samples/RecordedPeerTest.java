// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.cable.RecordedCable;
import org.hcaactors.fabric.recording.RecordedPeer;
import org.hcaactors.fabric.recording.RecordedQueuePair;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.junit.jupiter.api.Test;

/** Programs in a world, whose peers are captures of Soft-RoCE. */
class RecordedPeerTest {
    private static final Path CAPTURES = Path.of("../../fabric/packet/src/test/resources/captures");
    private static final int ROUNDS = 5;
    private static final int BYTES = 64;
    private static final int SERVICE = 7174;

    private final Path capture = CAPTURES.resolve("rc_pingpong_event.pcap");

    @Test
    void aPingPongWithARecordedServer() throws UnknownHostException {
        // docs begin
        RecordedCable cable = Cable.recorded(capture, InetAddress.getByName("10.77.0.2")); // the server
        try (World world = World.of(WorldOptions.of(1).with(cable))) {
            Adapter adapter = world.adapter("client"); // has the client's address in the capture
            HostProcess process = adapter.process("app");
            DeviceContext context = process.open();
            ProtectionDomain domain = context.allocatePd();
            HostMemory memory = process.allocate(4096);
            MemoryRegion region = world.await(domain.register(memory, Access.LOCAL_WRITE));
            CompletionQueue received = world.await(context.createCq(16));
            RcQueuePair qp = world.await(domain.createQp(QpDescription.rc().withRecvCq(received)));

            RecordedPeer peer = world.network().recordedPeer();
            RecordedQueuePair there = peer.queuePairs().getFirst();
            RcConnection terms =
                    RcConnection.DEFAULT.withSendPsn(there.firstPsn()).withReceivePsn(there.peerFirstPsn());
            world.await(qp.connect(Gid.of(peer.address()), there.peerNumber(), terms));
            peer.exchange(there, qp.number()); // what both programs told each other over TCP
            for (int i = 0; i < ROUNDS; i++) {
                qp.postReceive(Receive.of(i, region.slice(BYTES, BYTES)));
                world.await(qp.submit(Send.of(i, region.slice(0, BYTES))));
            }
            world.await(peer.end()); // all packets of the server came
            assertThat(world.await(received.poll(16))).hasSize(ROUNDS).allMatch(WorkCompletion::isSuccess);
            assertThat(memory.read(BYTES, BYTES)).containsOnly(0x7B); // as the recorded server sent
        }
        // docs end
    }

    @Test
    void aRecordedClientConnects() throws UnknownHostException {
        RecordedCable cable = Cable.recorded(CAPTURES.resolve("rping.pcap"), InetAddress.getByName("10.77.0.3"));
        try (World world = World.of(WorldOptions.of(1).with(cable))) {
            HostProcess process = world.adapter("server").process("app");
            DeviceContext context = process.open();
            ProtectionDomain domain = context.allocatePd();
            MemoryRegion region = world.await(domain.register(process.allocate(4096), Access.LOCAL_WRITE));
            // docs begin
            ConnectionListener listener = world.await(context.listen(SERVICE, 4));
            world.network().recordedPeer().start(); // the client connects
            Connection connection = world.await(listener.next()
                    .thenCompose(request -> request.accept(ConnectionDescription.of(domain)
                            .withPrepared(qp -> qp.postReceive(Receive.of(1, region.slice(0, 64)))))));
            // docs end
            assertThat(connection.peer())
                    .isInstanceOfSatisfying(
                            InetSocketAddress.class,
                            address -> assertThat(address.getAddress()).isEqualTo(cable.peer()));
        }
    }
}
