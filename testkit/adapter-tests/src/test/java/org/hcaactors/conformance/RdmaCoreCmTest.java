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
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.adapter.flow.ConnectionStep;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.QKey;
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
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
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
import org.hcaactors.tests.setup.Layout;
import org.hcaactors.tests.setup.TwoEnds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks of rdma-core's tests on connections (tests/test_rdmacm.py), with its names as tags. As there, two processes of one
 * adapter connect at its IP address; each test also runs with two adapters, in a world and on two nodes.
 */
@Tag("judge")
@ParameterizedClass
@MethodSource("org.hcaactors.tests.setup.Layout#all")
class RdmaCoreCmTest {
    private static final int PORT = 7471;
    private static final int COUNT = 1024;
    private static final int ROUNDS = 10;

    private static final QKey QKEY = QKey.of(0x0123_4567);

    private final TwoEnds adapters;
    private final Side active;

    RdmaCoreCmTest(Layout layout) {
        adapters = layout.open(61, Profile.CONNECTX_5);
        active = new Side(adapters.a(), "active");
    }

    @AfterEach
    void close() {
        adapters.close();
    }

    /** One of the two programs. */
    private final class Side {
        final DeviceContext context;
        final ProtectionDomain domain;
        final HostMemory memory;

        Side(Adapter adapter, String name) {
            HostProcess process = adapter.process(name);
            context = process.open();
            domain = context.allocatePd();
            memory = process.allocate(COUNT);
        }

        MemoryRegion register(Access... rights) {
            return adapters.await(domain.register(memory, rights));
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

    /** Parameters of a connection in rdma-core's tests. */
    private RcConnection terms() {
        return adapters.terms().withRdAtomic(1).withRetryCount(5).withRnrRetry(5);
    }

    private record Ends(Connection active, Connection passive) {}

    private Ends connect(Side passive, RcConnection terms) {
        ConnectionListener listener = adapters.await(passive.context.listen(PORT, 1));
        CompletionStage<Connection> connecting = connecting(listener, terms);
        ConnectionRequest request = adapters.await(listener.next());
        Connection accepted = adapters.await(
                request.accept(ConnectionDescription.of(passive.domain).withTerms(terms)));
        return new Ends(adapters.await(connecting), accepted);
    }

    private CompletionStage<Connection> connecting(ConnectionListener listener, RcConnection terms) {
        return active.context.connect(
                listener.address(), ConnectionDescription.of(active.domain).withTerms(terms));
    }

    private Status status(Connection from, RcWork work) {
        return adapters.await(from.qp().submit(work)).status();
    }

    private void receives(Connection at, long workId) {
        WorkCompletion came = adapters.polled(at.qp().recvCq(), 1).getFirst();
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
        adapters.await(ends.passive.closeAsync());
        assertThat(adapters.await(ends.active.ended()).cause()).isEqualTo(Cause.CLOSED_BY_PEER);
        adapters.await(ends.active.closeAsync());
        assertThat(adapters.await(ends.passive.ended()).cause()).isEqualTo(Cause.CLOSED_HERE);
    }

    private record CommId(String adapter, int id) {}

    /** Each end goes through these steps; the answers to the last messages come later. */
    @SafeVarargs
    private void goThrough(List<ConnectionStep>... steps) {
        adapters.eventually(() -> assertThat(adapters.traced(HcaEvent.ConnectionChanged.class)
                        .collect(Collectors.groupingBy(
                                change -> new CommId(change.port(), change.commId()),
                                Collectors.mapping(HcaEvent.ConnectionChanged::step, Collectors.toList())))
                        .values())
                .containsExactlyInAnyOrder(steps));
    }

    private Stream<QpAttribute> attributesOf(Adapter adapter, Connection end) {
        return adapters.traced(HcaEvent.Modified.class)
                .filter(each -> each.port().equals(adapter.name())
                        && each.element().number() == end.qp().number())
                .flatMap(each -> each.change().attributes().stream());
    }

    // rule cm-disconnect
    @Test
    @Tag("rdma-core:test_rdmacm.test_rdmacm_sync_traffic")
    void messagesAreAnsweredAndBothEndsDisconnect() {
        Side passive = new Side(adapters.b(), "passive");
        Ends ends = connect(passive, adapters.terms());
        pingPong(ends, passive);
        CompletionStage<Void> one = ends.passive.closeAsync();
        adapters.await(ends.active.closeAsync());
        adapters.await(one);
        assertThat(List.of(
                        adapters.await(ends.active.ended()).cause(),
                        adapters.await(ends.passive.ended()).cause()))
                .isSubsetOf(Cause.CLOSED_HERE, Cause.CLOSED_BY_PEER)
                .contains(Cause.CLOSED_HERE);
    }

    // rules cm-states, cm-terms, cm-disconnect
    @Test
    @Tag("rdma-core:test_rdmacm.test_rdmacm_async_traffic")
    void aConnectionWithALongerTimeoutGoesThroughAllSteps() {
        Side passive = new Side(adapters.b(), "passive");
        Ends ends = connect(passive, terms().withTimeoutCode(21));
        assertThat(attributesOf(adapters.a(), ends.active))
                .contains(new QpAttribute.Timeout(21), new QpAttribute.RetryCount(5), new QpAttribute.RnrRetry(5));
        assertThat(attributesOf(adapters.b(), ends.passive)).contains(new QpAttribute.Timeout(21));
        pingPong(ends, passive);
        disconnect(ends);
        goThrough(
                List.of(ASKED, REPLIED, ESTABLISHED, CLOSED_BY_PEER),
                List.of(REQUESTED, ACCEPTED, ESTABLISHED, DISCONNECTING, DISCONNECTED));
    }

    // rule cm-reject-reasons
    @Test
    @Tag("rdma-core:test_rdmacm.test_rdmacm_async_reject_traffic")
    void theDataOfARejectionArriveAndNothingIsLeft() {
        Side passive = new Side(adapters.b(), "passive");
        ConnectionListener listener = adapters.await(passive.context.listen(PORT, 1));
        int before = active.context.openObjects().leaks().size();
        CompletionStage<Connection> connecting = connecting(listener, terms());
        byte[] said = "no room here".getBytes(StandardCharsets.UTF_8);
        adapters.await(adapters.await(listener.next()).reject(ByteBuffer.wrap(said)));
        assertThatThrownBy(() -> adapters.await(connecting))
                .isInstanceOfSatisfying(ConnectionException.class, refused -> {
                    assertThat(refused.findErrno()).contains(Errno.ECONNREFUSED);
                    assertThat(refused.reason()).isEqualTo(OptionalInt.of(ConnectionException.CONSUMER_DEFINED));
                    byte[] came = new byte[refused.privateData().remaining()];
                    refused.privateData().get(came);
                    assertThat(came)
                            .hasSize(ConnectionDescription.MAX_REJECT_DATA)
                            .startsWith(said);
                });
        assertThat(active.context.openObjects().leaks()).hasSize(before);
        goThrough(List.of(ASKED, REJECTED_BY_PEER), List.of(REQUESTED, REJECTED));
    }

    // rule cm-terms
    @Test
    @Tag("rdma-core:test_rdmacm.test_rdmacm_async_read")
    void theActiveEndReadsThePassiveOnesMemory() {
        Side passive = new Side(adapters.b(), "passive");
        Ends ends = connect(passive, terms());
        assertThat(adapters.await(ends.active.qp().query()).maxRdAtomic()).isEqualTo(1);
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
    @Test
    @Tag("rdma-core:test_rdmacm.test_rdmacm_async_write")
    void theActiveEndWritesThePassiveOnesMemory() {
        Side passive = new Side(adapters.b(), "passive");
        Ends ends = connect(passive, terms());
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
        assertThat(adapters.await(ends.passive.qp().query()).state()).isEqualTo(QpState.RTS);
        disconnect(ends);
    }

    // rules cm-states, cm-terms
    @Test
    @Tag("rdma-core:test_rdmacm.test_rdmacm_async_traffic_external_qp")
    void theProgramsOwnQueuePairsAreConnected() {
        Side passive = new Side(adapters.b(), "passive");
        RcQueuePair here = adapters.await(active.domain.createQp(QpDescription.rc()));
        RcQueuePair there = adapters.await(passive.domain.createQp(QpDescription.rc()));
        ConnectionListener listener = adapters.await(passive.context.listen(PORT, 1));
        CompletionStage<Connection> connecting = active.context.connect(
                listener.address(),
                ConnectionDescription.of(active.domain).withTerms(terms()).withQueuePair(here));
        ConnectionRequest request = adapters.await(listener.next());
        Connection accepted = adapters.await(request.accept(
                ConnectionDescription.of(passive.domain).withTerms(terms()).withQueuePair(there)));
        Ends ends = new Ends(adapters.await(connecting), accepted);

        assertThat(ends.active.qp()).isSameAs(here);
        assertThat(ends.passive.qp()).isSameAs(there);
        pingPong(ends, passive);
        disconnect(ends);
    }

    @Test
    @Tag("rdma-core:test_rdmacm.test_rdmacm_async_udp_traffic")
    @Tag("rdma-core:test_rdmacm.test_rdmacm_async_resolve_addrinfo")
    void datagramsGoToTheQueuePairOfTheService() {
        Side passive = new Side(adapters.b(), "passive");
        CompletionQueue arrivals = adapters.await(passive.context.createCq(ROUNDS));
        UdQueuePair to =
                adapters.await(passive.domain.createQp(QpDescription.ud().withRecvCq(arrivals)));
        adapters.await(to.activate(QKEY));
        ServedPort service = adapters.await(passive.context.serveDatagrams(PORT, to, QKEY));
        UdQueuePair from = adapters.await(active.domain.createQp(QpDescription.ud()));
        adapters.await(from.activate(QKEY));

        DatagramAddress found = adapters.await(active.context.resolveDatagrams(service.address()));
        InetSocketAddress byName =
                InetSocketAddress.createUnresolved(adapters.b().name(), PORT);
        assertThat(adapters.await(active.context.resolveDatagrams(byName))).isEqualTo(found);
        var path = adapters.await(active.domain.createAddressHandle(AddressVector.to(found.gid())));
        LocalSlice here = active.register(Access.LOCAL_WRITE).slice(0, COUNT / 2);
        LocalSlice there = passive.register(Access.LOCAL_WRITE).slice(0, COUNT);
        for (int round = 0; round < ROUNDS; round++) {
            to.postReceive(Receive.of(round, there));
            assertThat(adapters.await(from.submit(found.by(path), Send.of(1, here)))
                            .status())
                    .isEqualTo(Status.SUCCESS);
            assertThat(adapters.polled(arrivals, 1))
                    .extracting(WorkCompletion::status)
                    .containsExactly(Status.SUCCESS);
        }
    }
}
