// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cable;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.cable.FramesCable;
import org.hcaactors.fabric.cable.MacAddress;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.fabric.wire.BitFlip;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.api.Test;

/** Two networks of one JVM, joined by a cable of frames. */
@ParameterizedClass
@EnumSource
class FramesAcrossTest {
    private static final int MIB = 1 << 20;
    private static final QKey QKEY = QKey.of(0x11);

    /** Both ends of a path. */
    enum Addresses {
        IPV4("10.9.0.1", "10.9.0.2"),
        IPV6("fd00::1", "fd00::2");

        final InetAddress client;
        final InetAddress server;

        Addresses(String client, String server) {
            this.client = address(client);
            this.server = address(server);
        }

        static InetAddress address(String text) {
            try {
                return InetAddress.getByName(text);
            } catch (UnknownHostException impossible) {
                throw new AssertionError(impossible);
            }
        }
    }

    private final Addresses addresses;
    private final Host client;
    private final Host server;

    FramesAcrossTest(Addresses addresses) {
        this.addresses = addresses;
        int port = Host.freePort();
        int other = Host.freePort();
        client = Host.behind(Host.frames(port, other)
                .withAdapter(addresses.client)
                .withPeers(addresses.server));
        server = Host.behind(Host.frames(other, port)
                .withAdapter(MacAddress.parse("52:54:00:12:34:56"), addresses.server)
                .withPeers(addresses.client));
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void aMebibyteIsWrittenAndReadBack() {
        MemoryServer.serve(server);
        MemoryClient memory = MemoryClient.connect(client, addresses.server);
        memory.roundTrip(MIB, 1);
        assertThat(memory.add(8, 5)).isEqualTo(memory.add(8, 1) - 5);
        for (Host host : List.of(client, server)) {
            assertThat(host.counted(CableCounter.ICRC_VERIFIED)).isGreaterThan(1000);
            assertThat(host.counted(CableCounter.ICRC_BAD)).isZero();
            assertThat(host.counted(CableCounter.NO_NEIGHBOUR)).isZero();
        }
    }

    // rules cm-states, cm-ip-addresses
    @Test
    void aConnectionNamesTheAddressesOfBothEnds() {
        ConnectionListener listener = server.await(server.context.listen(7174, 4));
        CompletionStage<Connection> accepted =
                listener.next().thenCompose(request -> request.accept(ConnectionDescription.of(server.domain)));
        Connection made = client.await(client.context.connect(
                new InetSocketAddress(addresses.server, 7174), ConnectionDescription.of(client.domain)));
        Connection there = server.await(accepted);
        assertThat(made.peer()).isEqualTo(new InetSocketAddress(addresses.server, 7174));
        assertThat(made.local().getAddress()).isEqualTo(addresses.client);
        assertThat(there.peer().getAddress()).isEqualTo(addresses.client);
        assertThat(there.local().getAddress()).isEqualTo(addresses.server);
        client.await(made.closeAsync());
        server.await(there.ended());
    }
}
