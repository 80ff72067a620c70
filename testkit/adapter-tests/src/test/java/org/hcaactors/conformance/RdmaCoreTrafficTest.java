// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.tests.setup.Layout;
import org.hcaactors.tests.setup.TwoEnds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks of rdma-core's own tests (linux-rdma/rdma-core, tests/) with two ends whose program sees both, with its names as tags: each in
 * a world and on two nodes.
 */
@Tag("judge")
@ParameterizedClass
@MethodSource("org.hcaactors.tests.setup.Layout#apart")
class RdmaCoreTrafficTest {
    private final TwoEnds ends;
    private final Adapter a;
    private final Adapter b;
    private final DeviceContext context;
    private final ProtectionDomain domain;

    RdmaCoreTrafficTest(Layout layout) {
        ends = layout.open(23, Profile.CONNECTX_5);
        a = ends.a();
        b = ends.b();
        context = a.process("app").open();
        domain = context.allocatePd();
    }

    @AfterEach
    void close() {
        ends.close();
    }

    private QpPair<RcQueuePair> connected(
            ProtectionDomain from,
            QpDescription<RcQueuePair> one,
            ProtectionDomain to,
            QpDescription<RcQueuePair> other) {
        return ends.await(QpPair.connectRc(from, one, to, other, ends.terms()));
    }

    private QpPair<RcQueuePair> connected(CompletionQueue sends) {
        ProtectionDomain theirs = b.process("app").open().allocatePd();
        return connected(domain, QpDescription.rc().withSendCq(sends), theirs, QpDescription.rc());
    }

    // test_qp.py

    @Test
    @Tag("rdma-core:test_qp.test_create_rc_qp_with_attr")
    @Tag("rdma-core:test_qp.test_create_uc_qp_with_attr")
    @Tag("rdma-core:test_qp.test_create_ud_qp_with_attr")
    @Tag("rdma-core:test_qp.test_create_rc_qp_ex_with_attr")
    @Tag("rdma-core:test_qp.test_create_uc_qp_ex_with_attr")
    @Tag("rdma-core:test_qp.test_create_ud_qp_ex_with_attr")
    @Tag("rdma-core:test_qp.test_modify_ud_qp")
    void queuePairsMoveFromResetToRts() {
        ProtectionDomain theirs = b.process("app").open().allocatePd();
        UdQueuePair ud = ends.await(domain.createQp(QpDescription.ud()));
        ends.await(ud.activate(QKey.of(7)));
        QpPair<UcQueuePair> uc = ends.await(QpPair.connectUc(domain, theirs));
        for (QueuePair qp : List.of(
                ud, uc.local(), connected(ends.await(context.createCq(10))).local())) {
            assertThat(ends.await(qp.query()).state()).isEqualTo(QpState.RTS);
        }
    }

    @Test
    @Tag("rdma-core:test_qp.RCQPTest.test_modify_rc_qp_rd_atomic")
    void outstandingReadsAreAtLeastTheRequestedNumber() {
        ConnectedPair pair = ConnectedPair.between(
                ends.network(), a, b, Shape.DEFAULT.with(ends.terms().withRdAtomic(5)));
        assertThat(ends.await(pair.a().qp().query()).maxRdAtomic()).isGreaterThanOrEqualTo(5);
        assertThat(ends.await(pair.a().qp().query()).maxDestRdAtomic()).isGreaterThanOrEqualTo(5);
    }

    // test_qpex.py

    private UdQueuePair datagrams(ProtectionDomain owner, CompletionQueue cq) {
        UdQueuePair qp =
                ends.await(owner.createQp(QpDescription.ud().withRecvCq(cq).withSendCq(cq)));
        ends.await(qp.activate(QKey.of(0x1111_1111)));
        return qp;
    }

    @Test
    @Tag("rdma-core:test_qpex.test_qp_ex_ud_send")
    @Tag("rdma-core:test_qpex.test_qp_ex_ud_send_imm")
    @Tag("rdma-core:test_qpex.test_qp_ex_ud_zero_size")
    @Tag("rdma-core:test_cqex.test_ud_traffic_cq_ex")
    void datagramsWithAndWithoutImmediateAndEmptyOnesArrive() {
        ProtectionDomain theirs = b.process("app").open().allocatePd();
        CompletionQueue cq = ends.await(theirs.context().createCq(10));
        UdQueuePair sender = datagrams(domain, ends.await(context.createCq(10)));
        UdQueuePair receiver = datagrams(theirs, cq);
        MemoryRegion from = ends.await(domain.register(a.process("app").allocate(4096), Access.LOCAL_WRITE));
        MemoryRegion into = ends.await(theirs.register(b.process("app").allocate(4096), Access.LOCAL_WRITE));
        UdAddress to = UdAddress.of(
                ends.await(domain.createAddressHandle(AddressVector.to(b.gid()))),
                receiver.number(),
                QKey.of(0x1111_1111));
        from.memory().write(0, "datagram".getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < 3; i++) {
            receiver.postReceive(Receive.of(i, into.slice(i * 100L, 100)));
        }
        sender.post(to, Send.of(1, from.slice(0, 8)));
        sender.post(to, Send.of(2, from.slice(0, 8)).withImmediate(9));
        sender.post(to, Send.of(3, from.slice(0, 0)));
        List<WorkCompletion> got = ends.polled(cq, 3);
        assertThat(got).extracting(WorkCompletion::lengthBytes).containsExactly(48L, 48L, 40L);
        assertThat(got.get(1).immediate()).hasValue(9);
        assertThat(into.memory().read(40, 8)).isEqualTo(from.memory().read(0, 8));
    }

    // test_cq.py, test_cq_events.py, test_mlx5_timestamp.py, test_mlx5_devx_async_events.py

    @Test
    @Tag("rdma-core:test_cq.test_resize_cq")
    void aCompletionQueueGrowsAndDoesNotShrinkBelowItsEntries() {
        CompletionQueue cq = ends.await(context.createCq(10));
        QpPair<RcQueuePair> pair = connected(cq);
        ends.await(cq.resize(1));
        ends.await(cq.resize(7));
        for (int i = 0; i < 5; i++) {
            pair.local()
                    .post(RdmaWrite.of(i, List.of(), new RemoteAddress(0, 0)).withSignaled());
        }
        // Its completion comes after theirs.
        ends.await(pair.local().submit(RdmaWrite.of(5, List.of(), new RemoteAddress(0, 0))));
        assertThatThrownBy(() -> ends.await(cq.resize(1)))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
        assertThat(ends.polled(cq, 5)).hasSize(5);
    }

    @Test
    @Tag("rdma-core:test_cq_events.test_cq_events_rc")
    @Tag("rdma-core:test_cq_events.test_cq_events_ud")
    void aCompletionWakesAnArmedQueue() {
        CompletionChannel channel = ends.await(context.createChannel());
        CompletionQueue cq = ends.await(context.createCq(CqDescription.of(10).withChannel(channel)));
        QpPair<RcQueuePair> rc = connected(cq);
        UdQueuePair ud = datagrams(domain, cq);
        UdAddress to = UdAddress.of(
                ends.await(domain.createAddressHandle(AddressVector.to(b.gid()))), 99, QKey.of(0x1111_1111));
        cq.arm(CompletionQueue.Arm.ANY);
        rc.local().post(RdmaWrite.of(1, List.of(), new RemoteAddress(0, 0)).withSignaled());
        assertThat(ends.await(channel.next())).isSameAs(cq);
        cq.arm(CompletionQueue.Arm.ANY);
        ud.post(to, Send.of(2).withSignaled());
        assertThat(ends.await(channel.next())).isSameAs(cq);
        assertThat(ends.polled(cq, 2)).hasSize(2);
    }

    @Test
    @Tag("rdma-core:test_mlx5_timestamp.test_timestamp_free_running_rc_traffic")
    void timestampsDoNotGoBack() {
        CompletionQueue cq = ends.await(context.createCq(CqDescription.of(100).withTimestamps()));
        QpPair<RcQueuePair> rc = connected(cq);
        for (int i = 0; i < 20; i++) {
            rc.local().post(RdmaWrite.of(i, List.of(), new RemoteAddress(0, 0)).withSignaled());
        }
        assertThat(ends.polled(cq, 20).stream()
                        .map(wc -> wc.timestampTicks().orElseThrow())
                        .toList())
                .hasSize(20)
                .isSorted();
    }

    @Test
    @Tag("rdma-core:test_mlx5_devx_async_events.test_async_event_cq_error")
    void anOverrunIsAnAsynchronousEvent() {
        List<AsyncEvent> events = new CopyOnWriteArrayList<>();
        context.asyncEvents().subscribe(Subscribers.forEach(events::add));
        CompletionQueue cq = ends.await(context.createCq(1));
        QpPair<RcQueuePair> rc = connected(cq);
        rc.local().post(RdmaWrite.of(1, List.of(), new RemoteAddress(0, 0)).withSignaled());
        rc.local().post(RdmaWrite.of(2, List.of(), new RemoteAddress(0, 0)).withSignaled());
        ends.eventually(() -> assertThat(events).contains(new AsyncEvent(AsyncEvent.Kind.CQ_ERR, cq.number())));
    }

    // test_srq.py

    private record Shared(SharedReceiveQueue srq, QpPair<RcQueuePair> pair, MemoryRegion from) {}

    private Shared shared(CompletionQueue cq) {
        ProtectionDomain theirs = b.process("app").open().allocatePd();
        SharedReceiveQueue srq =
                ends.await(domain.createSrq(SrqDescription.of(10).withMaxSge(1)));
        QpPair<RcQueuePair> pair = connected(
                theirs,
                QpDescription.rc(),
                domain,
                QpDescription.rc().withRecvCq(cq).withSrq(srq));
        MemoryRegion into = ends.await(domain.register(a.process("app").allocate(4096), Access.LOCAL_WRITE));
        MemoryRegion from = ends.await(theirs.register(b.process("app").allocate(4096), Access.LOCAL_WRITE));
        for (int i = 0; i < 10; i++) {
            srq.postReceive(Receive.of(i, into.slice(0, 100)));
        }
        return new Shared(srq, pair, from);
    }

    @Test
    @Tag("rdma-core:test_srq.test_rc_srq_traffic")
    void trafficTakesSharedReceives() {
        CompletionQueue cq = ends.await(context.createCq(100));
        Shared shared = shared(cq);
        for (int i = 0; i < 10; i++) {
            shared.pair.local().post(Send.of(i, shared.from.slice(0, 100)));
        }
        assertThat(ends.polled(cq, 10)).hasSize(10).allMatch(WorkCompletion::isSuccess);
    }

    @Test
    @Tag("rdma-core:test_srq.test_modify_srq_limit")
    void fourOfTenConsumedReachALimitOfSeven() {
        List<AsyncEvent> events = new CopyOnWriteArrayList<>();
        context.asyncEvents().subscribe(Subscribers.forEach(events::add));
        Shared shared = shared(ends.await(context.createCq(100)));
        ends.await(shared.srq.armLimit(7));
        for (int i = 0; i < 4; i++) {
            CompletionStage<WorkCompletion> sent = shared.pair.local().submit(Send.of(i, shared.from.slice(0, 100)));
            ends.await(sent);
        }
        ends.eventually(() ->
                assertThat(events).contains(new AsyncEvent(AsyncEvent.Kind.SRQ_LIMIT_REACHED, shared.srq.number())));
        assertThat(ends.await(shared.srq.query()).posted()).isEqualTo(6);
    }
}
