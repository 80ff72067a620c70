// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.wireshark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.cable.FrameObserver;
import org.hcaactors.fabric.cable.FramesCable;
import org.hcaactors.fabric.capture.PcapngWriter;
import org.hcaactors.fabric.capture.PcapngWriter.Direction;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Frames of a cable, in a capture that Wireshark reads: ARP, neighbor discovery and RoCEv2. */
@Tag("judge")
class FramesOfACableTest {
    private static final int SERVICE = 7174;

    @TempDir
    private Path folder;

    @BeforeEach
    void tsharkIsThere() {
        Tshark.assumeInstalled();
    }

    /** Writes a capture; any thread. */
    private record Writing(PcapngWriter writer) implements FrameObserver {
        @Override
        public void sent(byte[] frame) {
            write(Direction.OUTBOUND, frame);
        }

        @Override
        public void received(byte[] frame) {
            write(Direction.INBOUND, frame);
        }

        private void write(Direction direction, byte[] frame) {
            synchronized (writer) {
                try {
                    writer.packet(0, 0, direction, frame, List.of());
                } catch (IOException full) {
                    throw new UncheckedIOException(full);
                }
            }
        }
    }

    private static InetSocketAddress free() {
        try (DatagramSocket any = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            return (InetSocketAddress) any.getLocalSocketAddress();
        } catch (SocketException failed) {
            throw new AssertionError(failed);
        }
    }

    private static RdmaNetwork network(FramesCable cable) {
        return RdmaNetwork.start(Environment.production().withCable(cable));
    }

    private static DeviceContext context(RdmaNetwork network, String name) {
        return network.addAdapter(name, Profile.CONNECTX_5).process("app").open();
    }

    /** Connects by both versions of IP, and captures at the client. */
    private Path captured() throws IOException {
        Path file = folder.resolve("frames.pcapng");
        InetAddress[] client = {InetAddress.getByName("10.9.0.1"), InetAddress.getByName("fd00::1")};
        InetAddress[] server = {InetAddress.getByName("10.9.0.2"), InetAddress.getByName("fd00::2")};
        InetSocketAddress here = free();
        InetSocketAddress there = free();
        try (PcapngWriter writer = new PcapngWriter(Files.newOutputStream(file))) {
            writer.addInterface("cable");
            FramesCable ofClient = Cable.frames(here, there)
                    .withAdapter(client[0], client[1])
                    .withPeers(server)
                    .withObserver(new Writing(writer));
            try (RdmaNetwork servers = network(Cable.frames(there, here)
                            .withAdapter(server[0], server[1])
                            .withPeers(client));
                    RdmaNetwork network = network(ofClient)) {
                DeviceContext serves = context(servers, "server");
                var listener = servers.await(serves.listen(SERVICE, 4));
                DeviceContext context = context(network, "client");
                for (InetAddress to : server) {
                    CompletionStage<Connection> accepted = listener.next()
                            .thenCompose(request -> request.accept(ConnectionDescription.of(serves.allocatePd())));
                    network.await(context.connect(
                            new InetSocketAddress(to, SERVICE), ConnectionDescription.of(context.allocatePd())));
                    servers.await(accepted);
                }
            }
        }
        return file;
    }

    /** RoCEv2 has no UDP checksum, which Wireshark calls illegal over IPv6. */
    @Test
    void wiresharkFindsNothingWrongButTheUdpChecksumOfIpv6() throws Exception {
        List<String> lines = Tshark.fields(
                captured(), List.of("frame.protocols", "ipv6.version", "_ws.malformed", "_ws.expert.message"));
        assertThat(lines).anyMatch(line -> line.contains("arp")).anyMatch(line -> line.contains("icmpv6"));
        assertThat(lines)
                .filteredOn(line -> line.contains("infiniband"))
                .anyMatch(line -> line.contains(":ip:"))
                .anyMatch(line -> line.contains(":ipv6:"));
        assertThat(lines).map(line -> line.split("\t", -1)).allSatisfy(fields -> {
            assertThat(fields[2]).isEmpty();
            assertThat(fields[3]).isIn("", "Illegal checksum value (0)");
        });
    }
}
