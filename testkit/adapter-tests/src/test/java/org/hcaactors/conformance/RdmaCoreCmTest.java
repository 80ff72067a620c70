// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.adapter.flow.ConnectionStep.ACCEPTED;
import static org.hcaactors.adapter.flow.ConnectionStep.ASKED;
import static org.hcaactors.adapter.flow.ConnectionStep.CLOSED_BY_PEER;
import static org.hcaactors.adapter.flow.ConnectionStep.DISCONNECTED;
import static org.hcaactors.adapter.flow.ConnectionStep.DISCONNECTING;
import static org.hcaactors.adapter.flow.ConnectionStep.ESTABLISHED;
import static org.hcaactors.adapter.flow.ConnectionStep.REJECTED;
import static org.hcaactors.adapter.flow.ConnectionStep.REJECTED_BY_PEER;
import static org.hcaactors.adapter.flow.ConnectionStep.REPLIED;
import static org.hcaactors.adapter.flow.ConnectionStep.REQUESTED;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.adapter.flow.ConnectionStep;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionEnd.Cause;
import org.hcaactors.api.connection.ConnectionException;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.api.connection.DatagramAddress;
import org.hcaactors.api.connection.ServedPort;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks of rdma-core's tests on connections (tests/test_rdmacm.py), with its names as tags. As there, two processes of one
 * adapter connect at its IP address; each test also runs with two adapters.
 */
@Tag("judge")
class RdmaCoreCmTest {
    private static final int PORT = 7471;
    private static final int COUNT = 1024;
    private static final int ROUNDS = 10;

    /** Parameters of a connection in rdma-core's tests. */
    private static final RcConnection TERMS =
            RcConnection.DEFAULT.withRdAtomic(1).withRetryCount(5).withRnrRetry(5);

    private static final Gid GROUP = Gid.ofIpv4(224, 168, 1, 2);
    private static final QKey QKEY = QKey.of(0x0123_4567);

    /** Bytes before a received datagram. */
    private static final int GRH = 40;

    private final World world = World.of(61);
    private final Side active = new Side("a", "active");

    @AfterEach
    void close() {
        world.close();
    }

    /** One of the two programs. */
    private final class Side {
        final DeviceContext context;
        final ProtectionDomain domain;
        final HostMemory memory;

        Side(String adapter, String name) {
            HostProcess process = world.adapter(adapter).process(name);
            context = process.open();
            domain = context.allocatePd();
            memory = process.allocate(COUNT);
        }

        MemoryRegion register(Access... rights) {
            return world.await(domain.register(memory, rights));
        }

        void fill(char with) {
            byte[] bytes = new byte[COUNT];
            Arrays.fill(bytes, (byte) with);
            memory.write(0, bytes);
        }

        void contains(char with) {
            byte[] bytes = new byte[COUNT];
            Arrays.fill(bytes, (byte) with);
            assertThat(memory.read(0, COUNT)).isEqualTo(bytes);
        }
    }

    private record Ends(Connection active, Connection passive) {}

    private Ends connect(Side passive, RcConnection terms) {
        ConnectionListener listener = world.await(passive.context.listen(PORT, 1));
        CompletionStage<Connection> connecting = connecting(listener, terms);
        ConnectionRequest request = world.await(listener.next());
        Connection accepted = world.await(
                request.accept(ConnectionDescription.of(passive.domain).withTerms(terms)));
        return new Ends(world.await(connecting), accepted);
    }

    private CompletionStage<Connection> connecting(ConnectionListener listener, RcConnection terms) {
        return active.context.connect(
                listener.address(), ConnectionDescription.of(active.domain).withTerms(terms));
    }

    private Status status(Connection from, RcWork work) {
        return world.await(from.qp().submit(work)).status();
    }

    private void receives(Connection at, long workId) {
        world.settle();
        WorkCompletion came = world.await(at.qp().recvCq().poll(1)).getFirst();
        assertThat(came.status()).isEqualTo(Status.SUCCESS);
        assertThat(came.workId()).isEqualTo(workId);
        assertThat(came.lengthBytes()).isEqualTo(COUNT);
    }

    /** Sends a message to the passive end and an answer back, several times. */
    private void pingPong(Ends ends, Side passive) {
        LocalSlice here = active.register(Access.LOCAL_WRITE).slice(0, COUNT);
        LocalSlice there = passive.register(Access.LOCAL_WRITE).slice(0, COUNT);
        for (int round = 0; round < ROUNDS; round++) {
            ends.passive.qp().postReceive(Receive.of(round, there));
            active.fill('c');
            assertThat(status(ends.active, Send.of(1, here))).isEqualTo(Status.SUCCESS);
            receives(ends.passive, round);
            passive.contains('c');
            ends.active.qp().postReceive(Receive.of(round, here));
            passive.fill('s');
            assertThat(status(ends.passive, Send.of(1, there))).isEqualTo(Status.SUCCESS);
            receives(ends.active, round);
            active.contains('s');
        }
    }

    /** The passive end disconnects, the active one learns of it, and disconnects, too. */
    private void disconnect(Ends ends) {
        world.await(ends.passive.closeAsync());
        assertThat(world.await(ends.active.ended()).cause()).isEqualTo(Cause.CLOSED_BY_PEER);
        world.await(ends.active.closeAsync());
        assertThat(world.await(ends.passive.ended()).cause()).isEqualTo(Cause.CLOSED_HERE);
    }

    /** Returns the steps of each end in the order of time, until the answers to the last messages have arrived. */
    private Collection<List<ConnectionStep>> steps() {
        world.runFor(Duration.ofMillis(1));
        return world.trace()
                .of(HcaEvent.ConnectionChanged.class)
                .collect(Collectors.groupingBy(
                        HcaEvent.ConnectionChanged::commId,
                        Collectors.mapping(HcaEvent.ConnectionChanged::step, Collectors.toList())))
                .values();
    }

    private Stream<QpAttribute> attributesOf(Connection end) {
        return world.trace()
                .of(HcaEvent.Modified.class)
                .filter(each -> each.element().number() == end.qp().number())
                .flatMap(each -> each.change().attributes().stream());
    }

    // rule cm-disconnect
    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    @Tag("rdma-core:test_rdmacm.test_rdmacm_sync_traffic")
    void messagesAreAnsweredAndBothEndsDisconnect(String adapter) {
        Side passive = new Side(adapter, "passive");
        Ends ends = connect(passive, RcConnection.DEFAULT);
        pingPong(ends, passive);
        CompletionStage<Void> one = ends.passive.closeAsync();
        world.await(ends.active.closeAsync());
        world.await(one);
        assertThat(List.of(
                        world.await(ends.active.ended()).cause(),
                        world.await(ends.passive.ended()).cause()))
                .isSubsetOf(Cause.CLOSED_HERE, Cause.CLOSED_BY_PEER)
                .contains(Cause.CLOSED_HERE);
    }

    // rules cm-states, cm-terms, cm-disconnect
    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    @Tag("rdma-core:test_rdmacm.test_rdmacm_async_traffic")
    void aConnectionWithALongerTimeoutGoesThroughAllSteps(String adapter) {
        Side passive = new Side(adapter, "passive");
        Ends ends = connect(passive, TERMS.withTimeoutCode(21));
        assertThat(attributesOf(ends.active))
                .contains(new QpAttribute.Timeout(21), new QpAttribute.RetryCount(5), new QpAttribute.RnrRetry(5));
        assertThat(attributesOf(ends.passive)).contains(new QpAttribute.Timeout(21));
        pingPong(ends, passive);
        disconnect(ends);
        assertThat(steps())
                .containsExactlyInAnyOrder(
                        List.of(ASKED, REPLIED, ESTABLISHED, CLOSED_BY_PEER),
                        List.of(REQUESTED, ACCEPTED, ESTABLISHED, DISCONNECTING, DISCONNECTED));
    }

    // rule cm-reject-reasons
    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    @Tag("rdma-core:test_rdmacm.test_rdmacm_async_reject_traffic")
    void theDataOfARejectionArriveAndNothingIsLeft(String adapter) {
        Side passive = new Side(adapter, "passive");
        ConnectionListener listener = world.await(passive.context.listen(PORT, 1));
        int before = active.context.openObjects().leaks().size();
        CompletionStage<Connection> connecting = connecting(listener, TERMS);
        byte[] said = "no room here".getBytes(StandardCharsets.UTF_8);
        world.await(world.await(listener.next()).reject(ByteBuffer.wrap(said)));
        assertThatThrownBy(() -> world.await(connecting)).isInstanceOfSatisfying(ConnectionException.class, refused -> {
            assertThat(refused.findErrno()).contains(Errno.ECONNREFUSED);
            assertThat(refused.reason()).isEqualTo(OptionalInt.of(ConnectionException.CONSUMER_DEFINED));
            byte[] came = new byte[refused.privateData().remaining()];
            refused.privateData().get(came);
            assertThat(came).hasSize(ConnectionDescription.MAX_REJECT_DATA).startsWith(said);
        });
        assertThat(active.context.openObjects().leaks()).hasSize(before);
        assertThat(steps()).containsExactlyInAnyOrder(List.of(ASKED, REJECTED_BY_PEER), List.of(REQUESTED, REJECTED));
    }

    // rule cm-terms
    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    @Tag("rdma-core:test_rdmacm.test_rdmacm_async_read")
    void theActiveEndReadsThePassiveOnesMemory(String adapter) {
        Side passive = new Side(adapter, "passive");
        Ends ends = connect(passive, TERMS);
        assertThat(world.await(ends.active.qp().query()).maxRdAtomic()).isEqualTo(1);
        passive.fill('s');
        active.fill('c');
        MemoryRegion from = passive.register(Access.LOCAL_WRITE, Access.REMOTE_READ);
        LocalSlice to = active.register(Access.LOCAL_WRITE, Access.REMOTE_READ).slice(0, COUNT);
        for (int round = 0; round < ROUNDS; round++) {
            assertThat(status(ends.active, RdmaRead.of(round, to, from.remote(0))))
                    .isEqualTo(Status.SUCCESS);
        }
        active.contains('s');
        disconnect(ends);
    }

    // rule cm-terms
    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    @Tag("rdma-core:test_rdmacm.test_rdmacm_async_write")
    void theActiveEndWritesThePassiveOnesMemory(String adapter) {
        Side passive = new Side(adapter, "passive");
        Ends ends = connect(passive, TERMS);
        passive.fill('s');
        active.fill('c');
        MemoryRegion to = passive.register(Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        LocalSlice from =
                active.register(Access.LOCAL_WRITE, Access.REMOTE_WRITE).slice(0, COUNT);
        for (int round = 0; round < ROUNDS; round++) {
            assertThat(status(ends.active, RdmaWrite.of(round, from, to.remote(0))))
                    .isEqualTo(Status.SUCCESS);
        }
        passive.contains('c');
        assertThat(world.await(ends.passive.qp().query()).state()).isEqualTo(QpState.RTS);
        disconnect(ends);
    }

    // rules cm-states, cm-terms
    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    @Tag("rdma-core:test_rdmacm.test_rdmacm_async_traffic_external_qp")
    void theProgramsOwnQueuePairsAreConnected(String adapter) {
        Side passive = new Side(adapter, "passive");
        RcQueuePair here = world.await(active.domain.createQp(QpDescription.rc()));
        RcQueuePair there = world.await(passive.domain.createQp(QpDescription.rc()));
        ConnectionListener listener = world.await(passive.context.listen(PORT, 1));
        CompletionStage<Connection> connecting = active.context.connect(
                listener.address(),
                ConnectionDescription.of(active.domain).withTerms(TERMS).withQueuePair(here));
        ConnectionRequest request = world.await(listener.next());
        Connection accepted = world.await(request.accept(
                ConnectionDescription.of(passive.domain).withTerms(TERMS).withQueuePair(there)));
        Ends ends = new Ends(world.await(connecting), accepted);

        assertThat(ends.active.qp()).isSameAs(here);
        assertThat(ends.passive.qp()).isSameAs(there);
        pingPong(ends, passive);
        disconnect(ends);
    }

    /** A queue pair for datagrams in RTS, with receives that complete in their own queue. */
    private UdQueuePair member(Side of, CompletionQueue arrivals) {
        UdQueuePair made = world.await(of.domain.createQp(QpDescription.ud().withRecvCq(arrivals)));
        world.await(made.activate(QKEY));
        return made;
    }

    /** Sends a datagram to the group; returns the completions of the receiver. */
    private List<WorkCompletion> toGroup(UdQueuePair from, UdQueuePair to, LocalSlice there, CompletionQueue arrivals) {
        var path = world.await(active.domain.createAddressHandle(AddressVector.to(GROUP)));
        LocalSlice here = active.register(Access.LOCAL_WRITE).slice(0, COUNT / 2);
        to.postReceive(Receive.of(1, there));
        UdAddress group = UdAddress.of(path, UdAddress.MULTICAST, QKEY);
        assertThat(world.await(from.submit(group, Send.of(1, here))).status()).isEqualTo(Status.SUCCESS);
        world.runFor(Duration.ofMillis(1));
        return world.await(arrivals.poll(1));
    }

    // rule ud-multicast
    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    @Tag("rdma-core:test_rdmacm.test_rdmacm_async_multicast_traffic")
    @Tag("rdma-core:test_rdmacm.test_rdmacm_async_ex_multicast_traffic")
    @Tag("rdma-core:test_rdmacm.test_rdmacm_async_ex_leave_multicast_traffic")
    void aMemberOfAGroupReceivesUntilItLeaves(String adapter) {
        Side passive = new Side(adapter, "passive");
        CompletionQueue arrivals = world.await(passive.context.createCq(ROUNDS));
        UdQueuePair to = member(passive, arrivals);
        UdQueuePair from = member(active, world.await(active.context.createCq(ROUNDS)));
        world.await(to.attachMulticast(GROUP));
        world.await(from.attachMulticast(GROUP));
        LocalSlice there = passive.register(Access.LOCAL_WRITE).slice(0, COUNT);
        for (int round = 0; round < ROUNDS; round++) {
            active.fill('c');
            assertThat(toGroup(from, to, there, arrivals))
                    .extracting(WorkCompletion::status)
                    .containsExactly(Status.SUCCESS);
            assertThat(passive.memory.read(GRH, 1)).containsExactly('c');
        }
        world.await(to.detachMulticast(GROUP));

        assertThat(toGroup(from, to, there, arrivals)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    @Tag("rdma-core:test_rdmacm.test_rdmacm_async_udp_traffic")
    @Tag("rdma-core:test_rdmacm.test_rdmacm_async_resolve_addrinfo")
    void datagramsGoToTheQueuePairOfTheService(String adapter) {
        Side passive = new Side(adapter, "passive");
        CompletionQueue arrivals = world.await(passive.context.createCq(ROUNDS));
        UdQueuePair to = world.await(passive.domain.createQp(QpDescription.ud().withRecvCq(arrivals)));
        world.await(to.activate(QKEY));
        ServedPort service = world.await(passive.context.serveDatagrams(PORT, to, QKEY));
        UdQueuePair from = world.await(active.domain.createQp(QpDescription.ud()));
        world.await(from.activate(QKEY));

        DatagramAddress found = world.await(active.context.resolveDatagrams(service.address()));
        InetSocketAddress byName = InetSocketAddress.createUnresolved(adapter, PORT);
        assertThat(world.await(active.context.resolveDatagrams(byName))).isEqualTo(found);
        var path = world.await(active.domain.createAddressHandle(AddressVector.to(found.gid())));
        LocalSlice here = active.register(Access.LOCAL_WRITE).slice(0, COUNT / 2);
        LocalSlice there = passive.register(Access.LOCAL_WRITE).slice(0, COUNT);
        for (int round = 0; round < ROUNDS; round++) {
            to.postReceive(Receive.of(round, there));
            assertThat(world.await(from.submit(found.by(path), Send.of(1, here)))
                            .status())
                    .isEqualTo(Status.SUCCESS);
            world.runFor(Duration.ofMillis(1));
            assertThat(world.await(arrivals.poll(1)))
                    .extracting(WorkCompletion::status)
                    .containsExactly(Status.SUCCESS);
        }
    }
}
