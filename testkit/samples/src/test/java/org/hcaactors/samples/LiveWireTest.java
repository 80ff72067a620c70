// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.Test;

/** A client and a server in networks of their own, as in two processes, joined by UDP. */
class LiveWireTest {
    private static final int SERVICE = 7174;

    private final int port = freePort();

    private static int freePort() {
        try (DatagramSocket any = new DatagramSocket(new InetSocketAddress(0))) {
            return any.getLocalPort();
        } catch (SocketException failed) {
            throw new AssertionError(failed);
        }
    }

    // docs begin
    private RdmaNetwork network(String address, String peer) throws UnknownHostException {
        return RdmaNetwork.start(Environment.production()
                .withCable(Cable.udp(InetAddress.getByName(address))
                        .withPeers(InetAddress.getByName(peer))
                        .withPort(port))); // 4791 without this line
    }

    // docs end

    // docs begin
    private static RdmaNetwork network(int port, int other, String address, String peer) throws UnknownHostException {
        return RdmaNetwork.start(Environment.production()
                .withCable(Cable.frames(
                                new InetSocketAddress("127.0.0.1", port), new InetSocketAddress("127.0.0.1", other))
                        .withAdapter(InetAddress.getByName(address)) // such as 10.9.0.1 or fd00::1
                        .withPeers(InetAddress.getByName(peer))));
    }

    // docs end

    private static CompletionStage<Connection> serve(RdmaNetwork network, HostMemory[] memory) {
        // docs begin
        Adapter adapter = network.addAdapter("server", Profile.CONNECTX_5); // has the address 127.0.0.3
        HostProcess process = adapter.process("app");
        DeviceContext context = process.open();
        ProtectionDomain domain = context.allocatePd();
        HostMemory inbox = process.allocate(4096);
        MemoryRegion region = network.await(domain.register(inbox, Access.LOCAL_WRITE));
        ConnectionListener listener = network.await(context.listen(SERVICE, 4));
        CompletionStage<Connection> connected = listener.next()
                .thenCompose(request -> request.accept(ConnectionDescription.of(domain)
                        .withPrepared(qp -> qp.postReceive(Receive.of(1, region.slice(0, 64))))));
        // docs end
        memory[0] = inbox;
        return connected;
    }

    @Test
    void aMessageCrossesBetweenTwoNetworks() throws UnknownHostException {
        try (RdmaNetwork servers = network("127.0.0.3", "127.0.0.2");
                RdmaNetwork network = network("127.0.0.2", "127.0.0.3")) {
            HostMemory[] inbox = new HostMemory[1];
            CompletionStage<Connection> accepted = serve(servers, inbox);
            // docs begin
            Adapter adapter = network.addAdapter("client", Profile.CONNECTX_5); // has the address 127.0.0.2
            HostProcess process = adapter.process("app");
            DeviceContext context = process.open();
            ProtectionDomain domain = context.allocatePd();
            HostMemory outbox = process.allocate(4096);
            MemoryRegion region = network.await(domain.register(outbox, Access.LOCAL_WRITE));
            outbox.write(0, "over UDP".getBytes(StandardCharsets.UTF_8));
            Connection connection = network.await(
                    context.connect(new InetSocketAddress("127.0.0.3", SERVICE), ConnectionDescription.of(domain)));
            WorkCompletion sent = network.await(connection.qp().submit(Send.of(1, region.slice(0, 8))));
            // docs end
            servers.await(accepted);
            assertThat(sent.isSuccess()).isTrue();
            assertThat(new String(inbox[0].read(0, 8), StandardCharsets.UTF_8)).isEqualTo("over UDP");
        }
    }

    @Test
    void aConnectionCrossesInFrames() throws UnknownHostException {
        int other = freePort();
        try (RdmaNetwork servers = network(other, port, "fd00::2", "fd00::1");
                RdmaNetwork network = network(port, other, "fd00::1", "fd00::2")) {
            CompletionStage<Connection> accepted = serve(servers, new HostMemory[1]);
            DeviceContext context = network.addAdapter("client", Profile.CONNECTX_5)
                    .process("app")
                    .open();
            Connection made = network.await(context.connect(
                    new InetSocketAddress("fd00::2", SERVICE), ConnectionDescription.of(context.allocatePd())));
            assertThat(servers.await(accepted).peer().getAddress())
                    .isEqualTo(made.local().getAddress());
        }
    }
}
