// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.post;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.pair.UdEnd;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A shared receive queue and the queue pairs that take from it. */
class SharedReceiveTest {
    /** The next power of two above the requested 10, less one. */
    private static final int CAPACITY = 15;

    private final World world = World.of(11);
    private final Adapter a = world.network().addAdapter("a", Profile.CONNECTX_5);
    private final Adapter b = world.network().addAdapter("b", Profile.CONNECTX_5);
    private final Side from = Side.of(world.network(), a, "app", 4096);
    private final Side into = Side.of(world.network(), b, "app", 1 << 16);
    private final DeviceContext context = into.context();
    private final SharedReceiveQueue srq =
            world.await(into.domain().createSrq(SrqDescription.of(10).withMaxSge(2)));
    private final CompletionQueue recvCq = world.await(context.createCq(100));
    private final Half sharing = Half.on(into).withRecvCq(recvCq).withSrq(srq);
    private final List<WorkCompletion> received = new ArrayList<>();
    private final List<AsyncEvent> events = new ArrayList<>();
    private final List<Ends<RcEnd>> pairs = new ArrayList<>();

    SharedReceiveTest() {
        recvCq.completions().subscribe(Subscribers.forEach(received::add));
        context.asyncEvents().subscribe(Subscribers.forEach(events::add));
        for (int i = 0; i < 3; i++) {
            pairs.add(RcEnd.connect(world.network(), Half.on(from), sharing, RcConnection.DEFAULT));
        }
    }

    @AfterEach
    void close() {
        world.close();
    }

    private void post(int count) {
        for (int i = 0; i < count; i++) {
            srq.postReceive(Receive.of(i, into.slice(i * 64L, 64)));
        }
    }

    private void send(int pair, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(world.await(pairs.get(pair).a().qp().submit(Send.of(i, from.slice(0, 32))))
                            .status())
                    .isEqualTo(Status.SUCCESS);
        }
        world.settle();
    }

    private static void refused(Errno errno, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    // rule receive-shared-order
    @Test
    void severalQueuePairsTakeReceivesInMessageOrder() {
        post(6);
        send(2, 1);
        send(0, 2);
        send(1, 1);
        assertThat(received).extracting(WorkCompletion::workId).containsExactly(0L, 1L, 2L, 3L);
        assertThat(received)
                .extracting(WorkCompletion::qpNumber)
                .containsExactly(
                        pairs.get(2).b().qp().number(),
                        pairs.get(0).b().qp().number(),
                        pairs.get(0).b().qp().number(),
                        pairs.get(1).b().qp().number());
    }

    // rule receive-limit
    @Test
    void theLimitIsReachedOnceWhenFewerAreLeftAndThenDisarmed() {
        post(10);
        world.await(srq.armLimit(7));
        send(0, 3);
        assertThat(events).isEmpty();
        send(0, 1);
        assertThat(events).containsExactly(new AsyncEvent(AsyncEvent.Kind.SRQ_LIMIT_REACHED, srq.number()));
        send(0, 2);
        assertThat(events).hasSize(1);
        assertThat(world.await(srq.query()).limit()).isZero();
        assertThat(world.await(srq.query()).posted()).isEqualTo(4);
    }

    // rule receive-limit-at-once
    @Test
    void armingBelowTheLimitRaisesTheEventAtOnce() {
        post(2);
        world.await(srq.armLimit(3));
        world.settle();
        assertThat(events).extracting(AsyncEvent::kind).containsExactly(AsyncEvent.Kind.SRQ_LIMIT_REACHED);
        refused(Errno.EINVAL, () -> world.await(srq.armLimit(CAPACITY + 1)));
    }

    // rule receive-size
    @Test
    void aQueueOfNoReceivesIsCreatedAndRefusesEveryPost() {
        SharedReceiveQueue none = world.await(into.domain().createSrq(SrqDescription.of(0)));
        assertThat(none.capacity().maxWr()).isZero();
        refused(Errno.ENOMEM, () -> none.postReceive(Receive.of(1)));
        world.await(none.resize(1));
        none.postReceive(Receive.of(1));
        refused(Errno.ENOMEM, () -> none.postReceive(Receive.of(2)));
    }

    // rule receive-size
    @Test
    void aFullQueueRefusesWithEnomemUntilACompletionIsPolled() {
        assertThat(srq.capacity().maxWr()).isEqualTo(CAPACITY);
        post(CAPACITY);
        refused(Errno.ENOMEM, () -> srq.postReceive(Receive.of(11, into.slice(0, 64))));
        send(0, 1);
        srq.postReceive(Receive.of(11, into.slice(0, 64)));
        refused(
                Errno.EINVAL,
                () -> srq.postReceive(Receive.of(1, into.slice(0, 1), into.slice(1, 1), into.slice(2, 1))));
    }

    // rule receive-resize
    @Test
    void theSizeIsChangedButNotBelowTheOutstandingReceives() {
        post(CAPACITY);
        world.await(srq.resize(20));
        assertThat(srq.capacity().maxWr()).isEqualTo(31);
        srq.postReceive(Receive.of(10, into.slice(0, 64)));
        refused(Errno.EINVAL, () -> world.await(srq.resize(CAPACITY)));
        refused(Errno.EINVAL, () -> world.await(srq.resize(0)));
        refused(Errno.EINVAL, () -> world.await(srq.resize(1 << 20)));
        world.await(srq.resize(CAPACITY + 1));
    }

    // rule post-shared
    @Test
    void aQueuePairThatUsesItHasNoReceiveQueueOfItsOwn() {
        RcQueuePair qp = pairs.getFirst().b().qp();
        assertThat(qp.srq()).containsSame(srq);
        assertThat(qp.capacity().maxRecvWr()).isZero();
        refused(Errno.EINVAL, () -> qp.postReceive(Receive.of(1)));
    }

    @Test
    void itCanNotBeDestroyedWhileAQueuePairUsesIt() {
        refused(Errno.EBUSY, () -> world.await(srq.destroy()));
        for (Ends<RcEnd> pair : pairs) {
            world.await(pair.b().qp().destroy());
        }
        world.await(srq.destroy());
        refused(Errno.EINVAL, () -> srq.postReceive(Receive.of(1)));
    }

    // rule receive-shared-types
    @Test
    void ucAndQueuePairsOfOtherAdaptersAreRefused() {
        refused(
                Errno.EINVAL,
                () -> world.await(into.domain().createQp(QpDescription.uc().withSrq(srq))));
        refused(
                Errno.EINVAL,
                () -> world.await(from.domain().createQp(QpDescription.rc().withSrq(srq))));
        refused(
                Errno.EINVAL,
                () -> world.await(
                        into.domain().createSrq(SrqDescription.of(1 << 20).withMaxSge(1))));
    }

    // rule receive-last
    @Test
    void aFailedQueuePairReportsItsLastWqeAndTheOthersContinue() {
        post(4);
        world.await(pairs.getFirst().b().qp().modify(QpModify.to(QpState.ERR)));
        world.settle();
        assertThat(events)
                .contains(new AsyncEvent(
                        AsyncEvent.Kind.QP_LAST_WQE_REACHED,
                        pairs.getFirst().b().qp().number()));
        world.await(pairs.getFirst().b().qp().destroy());
        send(1, 4);
        assertThat(received).hasSize(4);
    }

    @Test
    void aResetRemovesOnlyTheQueuePairsOwnCompletions() {
        CompletionQueue quiet = world.await(context.createCq(100));
        Ends<RcEnd> one =
                RcEnd.connect(world.network(), Half.on(from), sharing.withRecvCq(quiet), RcConnection.DEFAULT);
        Ends<RcEnd> two =
                RcEnd.connect(world.network(), Half.on(from), sharing.withRecvCq(quiet), RcConnection.DEFAULT);
        post(CAPACITY);
        world.await(one.a().submit(Send.of(1, from.slice(0, 32))));
        world.await(two.a().submit(Send.of(2, from.slice(0, 32))));
        world.await(one.b().qp().modify(QpModify.to(QpState.RESET)));
        List<WorkCompletion> left = new ArrayList<>();
        quiet.completions().subscribe(Subscribers.forEach(left::add));
        world.settle();
        assertThat(left)
                .extracting(WorkCompletion::qpNumber)
                .containsExactly(two.b().qp().number());
        srq.postReceive(Receive.of(1, into.slice(0, 64)));
        srq.postReceive(Receive.of(2, into.slice(0, 64)));
        refused(Errno.ENOMEM, () -> srq.postReceive(Receive.of(3, into.slice(0, 64))));
    }

    /** A queue in error must still answer that it has no receive; otherwise the last one can't be known. */
    @Test
    void aQueuePairOnAFailedSrqStillRaisesLastWqeReached() {
        Ends<RcEnd> pair = pairs.getFirst();
        world.system()
                .classicSystem()
                .actorSelection("/system/hca-network/b/srq-1")
                .tell("no command", org.apache.pekko.actor.ActorRef.noSender());
        world.settle();
        RcConnection attributes = RcConnection.DEFAULT
                .withTimeoutCode(6)
                .withRetryCount(1)
                .withRnrRetry(1)
                .withMinRnrTimerCode(1);
        for (RcQueuePair end : List.of(pair.a().qp(), pair.b().qp())) {
            RcQueuePair peer = end == pair.a().qp() ? pair.b().qp() : pair.a().qp();
            Adapter there = end == pair.a().qp() ? b : a;
            world.await(end.modify(QpModify.to(QpState.RESET)));
            world.await(end.connect(there.gid(), peer.number(), attributes));
        }
        assertThat(world.await(pair.a().qp().submit(Send.of(1, from.slice(0, 32))))
                        .status())
                .isEqualTo(Status.RNR_RETRY_EXC_ERR);
        events.clear();
        world.await(pair.b().qp().modify(QpModify.to(QpState.ERR)));
        world.settle();
        assertThat(events).extracting(AsyncEvent::kind).containsExactly(AsyncEvent.Kind.QP_LAST_WQE_REACHED);
    }

    // rule receive-shared-types
    @Test
    void datagramsCanShareReceivesToo() {
        Ends<UdEnd> ends = UdEnd.introduce(world.network(), Half.on(from), sharing, UdEnd.QKEY);
        ends.b().postReceive(Receive.of(77, into.slice(0, 128)));
        world.await(ends.a().submit(Send.of(1, from.slice(0, 32))));
        world.settle();
        assertThat(received)
                .singleElement()
                .satisfies(wc -> assertThat(wc.workId()).isEqualTo(77));
        assertThat(QpCapacity.DEFAULT.maxRecvWr()).isPositive();
    }
}
