// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cable;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.fabric.wire.BitFlip;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two networks of one JVM, joined by UDP on loopback addresses. */
class TwoNetworksTest {
    private static final int SERVICE = 7174;
    private static final int MIB = 1 << 20;

    private final int port = Host.freePort();
    private final Host client = Host.behind(Host.cable(2, port, 3));
    private final Host server = Host.behind(Host.cable(3, port, 2));

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private RcQueuePair connected(PathMtu mtu) {
        return client.await(QpPair.connectRc(client.domain, server.domain, RcConnection.DEFAULT.withMtu(mtu)))
                .local();
    }

    private WorkCompletion done(RcQueuePair qp, RcWork work) {
        WorkCompletion completion = client.await(qp.submit(work));
        assertThat(completion.status()).isEqualTo(Status.SUCCESS);
        return completion;
    }

    private RemoteAddress remote(long offset) {
        return server.region.remote(offset);
    }

    @ParameterizedTest
    @EnumSource(names = {"BYTES_256", "BYTES_1024", "BYTES_4096"})
    void aMebibyteIsWrittenAndReadBack(PathMtu mtu) {
        RcQueuePair qp = connected(mtu);
        byte[] sent = client.fill(0, MIB, 1);
        done(qp, RdmaWrite.of(1, client.region.slice(0, MIB), remote(0)));
        assertThat(server.memory.read(0, MIB)).isEqualTo(sent);
        byte[] other = server.fill(MIB, MIB, 2);
        done(qp, RdmaRead.of(2, client.region.slice(0, MIB), remote(MIB)));
        assertThat(client.memory.read(0, MIB)).isEqualTo(other);
    }

    // rules cm-states, cm-ip-addresses
    @Test
    void aConnectionIsMadeAcross() {
        ConnectionListener listener = server.await(server.context.listen(SERVICE, 4));
        CompletionStage<Connection> accepted =
                listener.next().thenCompose(request -> request.accept(ConnectionDescription.of(server.domain)));
        Connection made = client.await(client.context.connect(
                new InetSocketAddress(Host.loopback(3), SERVICE), ConnectionDescription.of(client.domain)));
        Connection there = server.await(accepted);
        there.qp().postReceive(Receive.of(1, server.region.slice(0, 64)));
        byte[] sent = client.fill(0, 64, 6);
        WorkCompletion done = client.await(made.qp().submit(Send.of(2, client.region.slice(0, 64))));
        assertThat(done.status()).isEqualTo(Status.SUCCESS);
        assertThat(server.memory.read(0, 64)).isEqualTo(sent);
        assertThat(there.peer().getAddress()).isEqualTo(Host.loopback(2));
        client.await(made.closeAsync());
        server.await(there.ended());
    }

    // rule rc-go-back
    @Test
    void lostPacketsAreSentAgain() {
        // Every fiftieth packet could be the same one, sent again and again.
        Random random = new Random(7);
        client.network.intercept(transit -> random.nextInt(50) == 0 ? new Verdict.Drop("one of fifty") : Verdict.PASS);
        RcQueuePair qp = connected(PathMtu.BYTES_1024);
        byte[] sent = client.fill(0, MIB / 4, 7);
        done(qp, RdmaWrite.of(1, client.region.slice(0, MIB / 4), remote(0)));
        assertThat(server.memory.read(0, MIB / 4)).isEqualTo(sent);
        done(qp, RdmaRead.of(2, client.region.slice(MIB, MIB / 4), remote(0)));
        assertThat(client.memory.read(MIB, MIB / 4)).isEqualTo(sent);
    }

    // rules wire-icrc-drop, wire-identification
    @Test
    void damagedPacketsLeaveDamagedAndAreSentAgain() {
        AtomicInteger packets = new AtomicInteger();
        client.network.intercept(transit -> {
            int number = packets.incrementAndGet();
            return number % 20 == 0 && transit.fromPort().equals("hca")
                    ? new Verdict.Corrupt("noise", BitFlip.of(transit.packet(), BitFlip.Where.PAYLOAD, number))
                    : Verdict.PASS;
        });
        RcQueuePair qp = connected(PathMtu.BYTES_1024);
        byte[] sent = client.fill(0, MIB / 4, 8);
        done(qp, RdmaWrite.of(1, client.region.slice(0, MIB / 4), remote(0)));
        assertThat(server.memory.read(0, MIB / 4)).isEqualTo(sent);
        assertThat(server.counted(CableCounter.ICRC_BAD)).isPositive();
        assertThat(server.adapter.counters().get("rx_icrc_encapsulated")).isPositive();
        assertThat(server.counted(CableCounter.ICRC_VERIFIED_WITH_ID)).isZero();
    }

    // rule wire-identification
    @Test
    void linuxSendsIdentificationZero() {
        RcQueuePair qp = connected(PathMtu.BYTES_1024);
        for (int id = 0; id < 100; id++) {
            done(qp, RdmaWrite.of(id, client.region.slice(0, 64), remote(0)));
        }
        for (Host host : List.of(client, server)) {
            assertThat(host.counted(CableCounter.ICRC_VERIFIED)).isGreaterThanOrEqualTo(100);
            assertThat(host.counted(CableCounter.ICRC_VERIFIED_WITH_ID)).isZero();
            assertThat(host.counted(CableCounter.ICRC_BAD)).isZero();
        }
    }

    @Test
    void theMtuOfThePortsFollowsTheCable() {
        assertThat(client.adapter.port(1).activeMtu()).isEqualTo(PathMtu.BYTES_4096);
        try (Host narrow = Host.behind(Host.cable(4, port, 3).withMtu(1500))) {
            assertThat(narrow.adapter.port(1).activeMtu()).isEqualTo(PathMtu.BYTES_1024);
        }
    }
}
