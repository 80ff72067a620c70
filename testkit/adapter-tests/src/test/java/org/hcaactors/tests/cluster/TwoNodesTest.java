// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.cluster.ClusterUplink;
import org.hcaactors.fabric.link.Interceptor;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.fabric.wire.BitFlip;
import org.hcaactors.tests.cable.Host;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Two nodes of one JVM; all tests use the same two, as they take a second to join. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TwoNodesTest {
    private static final int SERVICE = 7174;
    private static final int MIB = 1 << 20;
    private static final QKey QKEY = QKey.of(0x1111_1111);

    /** A busy machine delays answers. */
    private static final RcConnection TERMS =
            RcConnection.DEFAULT.withMtu(PathMtu.BYTES_4096).withTimeout(Duration.ofMillis(130));

    private final Node client = Node.first("client");
    private final Node server = client.join("server");

    @BeforeAll
    void find() {
        client.awaitAdapters("server");
        server.awaitAdapters("client");
    }

    @AfterAll
    void close() {
        client.close();
        server.close();
    }

    private RcQueuePair connected() {
        return client.host
                .await(QpPair.connectRc(client.host.domain, server.host.domain, TERMS))
                .local();
    }

    private void succeeds(RcQueuePair qp, RcWork work) {
        WorkCompletion completion = client.host.await(qp.submit(work));
        assertThat(completion.status()).isEqualTo(Status.SUCCESS);
    }

    // rules cluster-directory, cluster-train
    @Test
    void aMebibyteIsWrittenAndReadBack() {
        RcQueuePair qp = connected();
        byte[] sent = client.host.fill(0, MIB, 1);
        succeeds(qp, RdmaWrite.of(1, client.host.region.slice(0, MIB), server.host.region.remote(0)));
        assertThat(server.host.memory.read(0, MIB)).isEqualTo(sent);
        succeeds(qp, RdmaRead.of(2, client.host.region.slice(MIB, MIB), server.host.region.remote(0)));
        assertThat(client.host.memory.read(MIB, MIB)).isEqualTo(sent);
        assertThat(server.counted("rx_packets")).isGreaterThan(MIB / 4096);
    }

    @Test
    void aConnectionIsMadeByTheNameOfTheAdapter() {
        ConnectionListener listener = server.host.await(server.host.context.listen(SERVICE, 4));
        CompletionStage<Connection> accepted =
                listener.next().thenCompose(request -> request.accept(ConnectionDescription.of(server.host.domain)));
        Connection made = client.host.await(client.host.context.connect(
                InetSocketAddress.createUnresolved("server", SERVICE), ConnectionDescription.of(client.host.domain)));
        Connection there = server.host.await(accepted);
        there.qp().postReceive(Receive.of(1, server.host.region.slice(0, 64)));
        byte[] sent = client.host.fill(0, 64, 6);
        succeeds(made.qp(), Send.of(2, client.host.region.slice(0, 64)));
        assertThat(server.host.memory.read(0, 64)).isEqualTo(sent);
        client.host.await(made.closeAsync());
        server.host.await(there.ended());
    }

    // rule cluster-groups
    @Test
    void aDatagramToAGroupReachesItsMembersOnBothNodes() {
        Gid group = Gid.parse("ff0e::1:2:3");
        Queue<WorkCompletion> near = new ConcurrentLinkedQueue<>();
        Queue<WorkCompletion> far = new ConcurrentLinkedQueue<>();
        UdQueuePair from = memberOf(group, client.host, near);
        memberOf(group, server.host, far);
        AddressHandle path = client.host.await(client.host.domain.createAddressHandle(AddressVector.to(group)));
        byte[] sent = client.host.fill(4096, 64, 9);
        client.host.await(from.submit(
                UdAddress.of(path, UdAddress.MULTICAST, QKEY), Send.of(1, client.host.region.slice(4096, 64))));
        await().until(() -> near.size() + far.size() == 2);
        assertThat(client.host.memory.read(UdQueuePair.GRH_BYTES, 64)).isEqualTo(sent);
        assertThat(server.host.memory.read(UdQueuePair.GRH_BYTES, 64)).isEqualTo(sent);
    }

    private static UdQueuePair memberOf(Gid group, Host host, Queue<WorkCompletion> received) {
        CompletionQueue queue = host.await(host.context.createCq(16));
        queue.completions().subscribe(Subscribers.forEach(received::add));
        UdQueuePair member = host.await(host.domain.createQp(QpDescription.ud().withRecvCq(queue)));
        host.await(member.activate(QKEY));
        host.await(member.attachMulticast(group));
        member.postReceive(Receive.of(3, host.region.slice(0, UdQueuePair.GRH_BYTES + 64)));
        return member;
    }

    // rules rc-go-back, wire-icrc-drop
    @Test
    void lostAndDamagedPacketsAreSentAgain() {
        AtomicInteger packets = new AtomicInteger();
        RcQueuePair qp = connected();
        client.host.network.intercept(transit -> switch (packets.incrementAndGet() % 50) {
            case 0 -> new Verdict.Drop("every fiftieth");
            case 25 -> new Verdict.Corrupt("noise", BitFlip.of(transit.packet(), BitFlip.Where.PAYLOAD, 77));
            default -> Verdict.PASS;
        });
        byte[] sent = client.host.fill(0, MIB, 7);
        succeeds(qp, RdmaWrite.of(1, client.host.region.slice(0, MIB), server.host.region.remote(0)));
        assertThat(server.host.memory.read(0, MIB)).isEqualTo(sent);
        assertThat(server.host.adapter.counters().get("rx_icrc_encapsulated")).isPositive();
        client.host.network.intercept(Interceptor.NONE);
    }

    // rule cluster-directory
    @Test
    void allAdaptersOfANodeAreFound() {
        List<String> names =
                IntStream.range(0, 50).mapToObj(number -> "more-" + number).toList();
        names.forEach(name -> server.host.network.addAdapter(name, Profile.CONNECTX_5));
        client.awaitAdapters(names.toArray(String[]::new));
        assertThat(names.stream().map(name -> client.host.network.locate(name)).distinct())
                .hasSize(50)
                .allMatch(Optional::isPresent);
    }

    // rule cluster-directory
    @Test
    void anAddressBelongsToTheFirstNodeUntilItGivesItUp() {
        Gid wanted = Gid.ofIpv4(10, 1, 1, 1);
        Gid before = client.host.adapter.gid();
        Gid ofServer = server.host.adapter.gid();
        client.host.network.setGidTable(client.host.adapter, List.of(wanted));
        await().until(() -> server.host.network.locate("client").equals(Optional.of(wanted)));
        server.host.network.setGidTable(server.host.adapter, List.of(wanted));
        await().untilAsserted(() -> assertThat(server.counted("address_taken")).isEqualTo(1));
        assertThat(client.host.network.locate("server")).isNotEqualTo(Optional.of(wanted));
        client.host.network.setGidTable(client.host.adapter, List.of(before));
        await().until(() -> client.host.network.locate("server").equals(Optional.of(wanted)));
        server.host.network.setGidTable(server.host.adapter, List.of(ofServer));
        await().until(() -> client.host.network.locate("server").equals(Optional.of(ofServer)));
    }

    // rule cluster-hello
    @Test
    void aSecondUplinkOfAnActorSystemIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClusterUplink.of(client.system))
                .withMessage(
                        "the actor system fabric has had an uplink; a node that starts its network again needs a new"
                                + " actor system");
    }

    @Test
    void anActorSystemThatIsNotClusteredIsRefused() {
        ActorSystem<Void> alone = ActorSystem.create(Behaviors.empty(), "alone");
        try {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ClusterUplink.of(alone))
                    .withMessage(
                            "the actor system alone is not clustered: pekko.actor.provider is local; it must be cluster");
        } finally {
            alone.terminate();
        }
    }
}
