package org.hcaactors.lab.verbs;

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
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.ProtectionDomain;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqCapacity;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A shared receive queue and the queue pairs that take from it. */
class SharedReceiveTest {
    private final World world = World.of(11);
    private final Adapter a = world.network().addAdapter("a", Profile.CONNECTX_5);
    private final Adapter b = world.network().addAdapter("b", Profile.CONNECTX_5);
    private final DeviceContext context = b.process("app").open();
    private final ProtectionDomain pdA = a.process("app").open().allocatePd();
    private final ProtectionDomain pdB = context.allocatePd();
    private final MemoryRegion from = world.await(pdA.register(a.process("app").allocate(4096), Access.LOCAL_WRITE));
    private final MemoryRegion into = world.await(pdB.register(b.process("app").allocate(1 << 16), Access.LOCAL_WRITE));
    private final SharedReceiveQueue srq = world.await(pdB.createSrq(new SrqCapacity(10, 2)));
    private final CompletionQueue recvCq = world.await(context.createCq(100));
    private final List<WorkCompletion> received = new ArrayList<>();
    private final List<AsyncEvent> events = new ArrayList<>();
    private final List<RcPair> pairs = new ArrayList<>();

    SharedReceiveTest() {
        recvCq.completions().subscribe(Subscribers.forEach(received::add));
        context.asyncEvents().subscribe(Subscribers.forEach(events::add));
        for (int i = 0; i < 3; i++) {
            pairs.add(
                    world.await(RcPair.connect(pdA.rc(), pdB.rc().recvCq(recvCq).srq(srq))));
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
            assertThat(world.await(pairs.get(pair).local().submit(Send.of(i, from.slice(0, 32))))
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

    @Test
    void severalQueuePairsTakeFromItInTheOrderOfTheirMessages() {
        post(6);
        send(2, 1);
        send(0, 2);
        send(1, 1);
        assertThat(received).extracting(WorkCompletion::workId).containsExactly(0L, 1L, 2L, 3L);
        assertThat(received)
                .extracting(WorkCompletion::qpNumber)
                .containsExactly(
                        pairs.get(2).remote().number(),
                        pairs.get(0).remote().number(),
                        pairs.get(0).remote().number(),
                        pairs.get(1).remote().number());
    }

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

    @Test
    void armingBelowTheLimitRaisesTheEventAtOnce() {
        post(2);
        world.await(srq.armLimit(3));
        world.settle();
        assertThat(events).extracting(AsyncEvent::kind).containsExactly(AsyncEvent.Kind.SRQ_LIMIT_REACHED);
        refused(Errno.EINVAL, () -> world.await(srq.armLimit(11)));
    }

    @Test
    void aFullQueueRefusesWithEnomemUntilACompletionIsTaken() {
        post(10);
        refused(Errno.ENOMEM, () -> srq.postReceive(Receive.of(11, into.slice(0, 64))));
        send(0, 1);
        srq.postReceive(Receive.of(11, into.slice(0, 64)));
        refused(
                Errno.EINVAL,
                () -> srq.postReceive(Receive.of(1, into.slice(0, 1), into.slice(1, 1), into.slice(2, 1))));
    }

    @Test
    void itsSizeCanBeChangedButNotBelowWhatIsOutstanding() {
        post(10);
        world.await(srq.resize(20));
        assertThat(srq.capacity().maxWr()).isGreaterThanOrEqualTo(20);
        srq.postReceive(Receive.of(10, into.slice(0, 64)));
        refused(Errno.EINVAL, () -> world.await(srq.resize(10)));
        refused(Errno.EINVAL, () -> world.await(srq.resize(0)));
        refused(Errno.EINVAL, () -> world.await(srq.resize(1 << 20)));
        world.await(srq.resize(11));
    }

    @Test
    void aQueuePairThatUsesItHasNoReceiveQueueOfItsOwn() {
        RcQueuePair qp = pairs.getFirst().remote();
        assertThat(qp.srq()).containsSame(srq);
        assertThat(qp.capacity().maxRecvWr()).isZero();
        refused(Errno.EINVAL, () -> qp.postReceive(Receive.of(1)));
    }

    @Test
    void itCanNotBeDestroyedWhileAQueuePairUsesIt() {
        refused(Errno.EBUSY, () -> world.await(srq.destroy()));
        for (RcPair pair : pairs) {
            world.await(pair.remote().destroy());
        }
        world.await(srq.destroy());
        refused(Errno.EINVAL, () -> srq.postReceive(Receive.of(1)));
    }

    @Test
    void ucTakesNoneAndAnotherAdaptersIsRefused() {
        refused(Errno.EINVAL, () -> world.await(pdB.uc().srq(srq).create()));
        refused(Errno.EINVAL, () -> world.await(pdA.rc().srq(srq).create()));
        refused(Errno.EINVAL, () -> world.await(pdB.createSrq(new SrqCapacity(1 << 20, 1))));
    }

    @Test
    void beforeAQueuePairIsDestroyedItsLastWqeIsReportedAndTheOthersGoOn() {
        post(4);
        world.await(pairs.getFirst().remote().modify(QpModify.to(QpState.ERR)));
        world.settle();
        assertThat(events)
                .contains(new AsyncEvent(
                        AsyncEvent.Kind.QP_LAST_WQE_REACHED,
                        pairs.getFirst().remote().number()));
        world.await(pairs.getFirst().remote().destroy());
        send(1, 4);
        assertThat(received).hasSize(4);
    }

    @Test
    void aResetQueuePairTakesOnlyItsOwnEntriesOutOfASharedCompletionQueue() {
        CompletionQueue quiet = world.await(context.createCq(100));
        RcPair one = world.await(RcPair.connect(pdA.rc(), pdB.rc().recvCq(quiet).srq(srq)));
        RcPair two = world.await(RcPair.connect(pdA.rc(), pdB.rc().recvCq(quiet).srq(srq)));
        post(10);
        world.await(one.local().submit(Send.of(1, from.slice(0, 32))));
        world.await(two.local().submit(Send.of(2, from.slice(0, 32))));
        world.await(one.remote().modify(QpModify.to(QpState.RESET)));
        List<WorkCompletion> left = new ArrayList<>();
        quiet.completions().subscribe(Subscribers.forEach(left::add));
        world.settle();
        assertThat(left)
                .extracting(WorkCompletion::qpNumber)
                .containsExactly(two.remote().number());
        srq.postReceive(Receive.of(1, into.slice(0, 64)));
        srq.postReceive(Receive.of(2, into.slice(0, 64)));
        refused(Errno.ENOMEM, () -> srq.postReceive(Receive.of(3, into.slice(0, 64))));
    }

    /** What comes in asks a queue that is in error: it must say that it has nothing, or nothing is known to be the last. */
    @Test
    void aQueuePairOnAFailedSharedReceiveQueueStillRaisesLastWqeReached() {
        RcPair pair = pairs.getFirst();
        world.system()
                .classicSystem()
                .actorSelection("/system/hca-network/b/srq-1")
                .tell("no command", org.apache.pekko.actor.ActorRef.noSender());
        world.settle();
        RcConnection terms = RcConnection.DEFAULT.withTimeout(6, 1).withRnr(1, 1);
        for (RcQueuePair end : List.of(pair.local(), pair.remote())) {
            RcQueuePair peer = end == pair.local() ? pair.remote() : pair.local();
            Adapter there = end == pair.local() ? b : a;
            world.await(end.modify(QpModify.to(QpState.RESET)));
            world.await(end.connect(there.gid(), peer.number(), terms));
        }
        assertThat(world.await(pair.local().submit(Send.of(1, from.slice(0, 32))))
                        .status())
                .isEqualTo(Status.RNR_RETRY_EXC_ERR);
        events.clear();
        world.await(pair.remote().modify(QpModify.to(QpState.ERR)));
        world.settle();
        assertThat(events).extracting(AsyncEvent::kind).containsExactly(AsyncEvent.Kind.QP_LAST_WQE_REACHED);
    }

    @Test
    void datagramsCanShareReceivesToo() {
        var ud = world.await(pdB.ud().recvCq(recvCq).srq(srq).create());
        world.await(ud.activate(5));
        var sender = world.await(pdA.ud().create());
        world.await(sender.activate(5));
        srq.postReceive(Receive.of(77, into.slice(0, 128)));
        var path = world.await(pdA.createAddressHandle(org.hcaactors.api.queue.AddressVector.to(b.gid())));
        world.await(sender.submit(
                org.hcaactors.api.queue.UdAddress.of(path, ud.number(), 5), Send.of(1, from.slice(0, 32))));
        world.settle();
        assertThat(received)
                .singleElement()
                .satisfies(wc -> assertThat(wc.workId()).isEqualTo(77));
        assertThat(QpCapacity.DEFAULT.maxRecvWr()).isPositive();
    }
}
