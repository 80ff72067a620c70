// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.post;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import org.hcaactors.api.capability.AtomicCapabilities;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Refusals of posts, the reuse of slots (the page post of the rule book), and the ends of streams and stages. */
class PostingTest {
    private World world;
    private Adapter alice;
    private Adapter bob;

    @BeforeEach
    void start() {
        world = World.of(11);
        alice = world.network().addAdapter("alice", Profile.CONNECTX_5);
        bob = world.network().addAdapter("bob", Profile.CONNECTX_5);
    }

    @AfterEach
    void stop() {
        world.close();
    }

    private ConnectedPair pair(Shape shape) {
        return ConnectedPair.between(world.network(), alice, bob, shape);
    }

    private ConnectedPair pair() {
        return pair(Shape.DEFAULT);
    }

    private static void refused(Errno errno, String what, Executable call) {
        assertThatThrownBy(call::execute)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                .hasMessageContaining(what);
    }

    // rule post-state
    @Test
    void postingBeforeTheStateAllowsItIsRefusedWithEinval() {
        RcQueuePair fresh = world.await(alice.process("p").open().allocatePd().createQp(QpDescription.rc()));
        refused(Errno.EINVAL, "RESET", () -> fresh.post(Send.of(1)));
        refused(Errno.EINVAL, "RESET", () -> fresh.postReceive(Receive.of(1)));
        world.await(fresh.modify(RcConnection.DEFAULT.toInit()));
        fresh.postReceive(Receive.of(1));
        refused(Errno.EINVAL, "INIT", () -> fresh.post(Send.of(1)));
    }

    // rule post-early-dropped
    @Test
    void aQuirkyAdapterDropsRequestsPostedBeforeRts() {
        Adapter eve = world.network().addAdapter("eve", Profile.CONNECTX_6.with(Quirk.DROPS_POSTS_BEFORE_RTS));
        RcQueuePair fresh = world.await(eve.process("p").open().allocatePd().createQp(QpDescription.rc()));
        for (int i = 0; i < 2 * fresh.capacity().maxSendWr(); i++) {
            fresh.post(Send.of(i).withSignaled());
        }
        refused(
                Errno.ECANCELED,
                "is in RESET; requests are sent from RTS on",
                () -> world.await(fresh.submit(Send.of(1))));
        assertThat(world.await(fresh.query()).state()).isEqualTo(QpState.RESET);
        world.await(fresh.destroy());
        refused(Errno.EINVAL, "is closed", () -> fresh.post(Send.of(1)));
    }

    @Test
    void aQueuePairMayHaveNoSendQueueOrNoReceiveQueue() {
        ConnectedPair sending = pair(Shape.DEFAULT.with(QpCapacity.DEFAULT
                .withMaxSendWr(4)
                .withMaxRecvWr(0)
                .withMaxSge(1)
                .withMaxInlineBytes(0)));
        refused(Errno.ENOMEM, "receive queue of 0", () -> sending.b().qp().postReceive(Receive.of(1)));
        assertThat(world.await(sending.a()
                                .qp()
                                .submit(RdmaWrite.of(
                                        1, sending.a().slice(0, 8), sending.b().remote(0))))
                        .status())
                .isEqualTo(Status.SUCCESS);
        ConnectedPair mute = pair(Shape.DEFAULT.with(QpCapacity.DEFAULT
                .withMaxSendWr(0)
                .withMaxRecvWr(4)
                .withMaxSge(1)
                .withMaxInlineBytes(0)));
        refused(Errno.ENOMEM, "send queue of 0", () -> mute.a().qp().post(Send.of(1)));
        mute.b().qp().postReceive(Receive.of(1));
        world.await(mute.b().qp().modify(QpModify.to(QpState.ERR)));
        assertThat(world.await(alice.process("q")
                                .open()
                                .allocatePd()
                                .createQp(QpDescription.rc()
                                        .withCapacity(
                                                QpCapacity.of(0).withMaxSge(1).withMaxInlineBytes(0))))
                        .capacity())
                .isEqualTo(QpCapacity.of(0).withMaxSge(1).withMaxInlineBytes(0));
    }

    // rule memory-touched-bytes
    @Test
    void anEmptyInlineElementMayPointAnywhere() {
        ConnectedPair pair = pair();
        List<LocalSlice> elements =
                List.of(new LocalSlice(0, 12345, 0), pair.a().slice(0, 8));
        assertThat(world.await(pair.a()
                                .qp()
                                .submit(RdmaWrite.of(1, elements, pair.b().remote(0))
                                        .withInline()))
                        .status())
                .isEqualTo(Status.SUCCESS);
    }

    // rule post-elements
    @Test
    void tooManyElementsAreEnomemForSendsAndEinvalForReceives() {
        ConnectedPair pair = pair();
        List<LocalSlice> five = Collections.nCopies(5, pair.a().slice(0, 1));
        refused(
                Errno.ENOMEM,
                "4 are allowed",
                () -> pair.a().qp().post(RdmaWrite.of(1, five, pair.b().remote(0))));
        refused(Errno.EINVAL, "4 are allowed", () -> pair.a().qp().postReceive(new Receive(1, five)));
    }

    // rule post-elements
    @Test
    void aReadCanHaveFewerElementsThanAWrite() {
        Profile profile = Profile.CONNECTX_3.with(Profile.CONNECTX_3.queues().withMaxReadSge(3));
        Adapter carol = world.network().addAdapter("carol", profile);
        ConnectedPair pair = ConnectedPair.between(world.network(), carol, bob, Shape.DEFAULT);
        List<LocalSlice> four = Collections.nCopies(4, pair.a().slice(0, 1));
        pair.a().qp().post(RdmaWrite.of(1, four, pair.b().remote(0)));
        refused(
                Errno.ENOMEM,
                "the READ has 4 elements; at most 3 are allowed",
                () -> pair.a().qp().post(RdmaRead.of(2, four, pair.b().remote(0))));
        pair.a().qp().post(RdmaRead.of(3, four.subList(0, 3), pair.b().remote(0)));
    }

    // rules post-full, post-slot
    @Test
    void aFullQueueIsEnomemUntilACompletionIsTaken() {
        ConnectedPair pair =
                pair(Shape.DEFAULT.with(QpCapacity.of(4).withMaxSge(1).withMaxInlineBytes(0)));
        RcQueuePair qp = pair.a().qp();
        for (int i = 0; i < 4; i++) {
            qp.post(RdmaWrite.of(i, pair.a().slice(0, 8), pair.b().remote(0)).withSignaled());
        }
        refused(Errno.ENOMEM, "send queue of 4", () -> qp.post(Send.of(9)));
        world.settle();
        refused(Errno.ENOMEM, "send queue of 4", () -> qp.post(Send.of(9)));
        List<WorkCompletion> taken = new ArrayList<>();
        pair.a().sendCq().completions().subscribe(asking(2, taken));
        world.settle();
        assertThat(taken).hasSize(2);
        qp.post(RdmaWrite.of(5, pair.a().slice(0, 8), pair.b().remote(0)));
        qp.post(RdmaWrite.of(6, pair.a().slice(0, 8), pair.b().remote(0)));
        refused(Errno.ENOMEM, "send queue of 4", () -> qp.post(Send.of(9)));
    }

    // rule post-slot
    @Test
    void aQueueFullOfUnsignaledRequestsStaysFull() {
        ConnectedPair pair =
                pair(Shape.DEFAULT.with(QpCapacity.of(4).withMaxSge(1).withMaxInlineBytes(0)));
        pair.a().sendCq().completions().subscribe(Subscribers.forEach(wc -> {}));
        for (int i = 0; i < 4; i++) {
            pair.a().qp().post(RdmaWrite.of(i, pair.a().slice(0, 8), pair.b().remote(0)));
        }
        world.settle();
        refused(Errno.ENOMEM, "is full", () -> pair.a().qp().post(Send.of(9)));
    }

    // rule post-slot
    @Test
    void oneSignaledRequestFreesTheUnsignaledOnesBeforeIt() {
        ConnectedPair pair =
                pair(Shape.DEFAULT.with(QpCapacity.of(4).withMaxSge(1).withMaxInlineBytes(0)));
        pair.a().sendCq().completions().subscribe(Subscribers.forEach(wc -> {}));
        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < 3; i++) {
                pair.a()
                        .qp()
                        .post(RdmaWrite.of(i, pair.a().slice(0, 8), pair.b().remote(0)));
            }
            pair.a()
                    .qp()
                    .post(RdmaWrite.of(3, pair.a().slice(0, 8), pair.b().remote(0))
                            .withSignaled());
            world.settle();
        }
    }

    // rule post-full
    @Test
    void aFullReceiveQueueIsEnomem() {
        ConnectedPair pair = pair(Shape.DEFAULT.with(QpCapacity.DEFAULT
                .withMaxSendWr(4)
                .withMaxRecvWr(2)
                .withMaxSge(1)
                .withMaxInlineBytes(0)));
        pair.b().qp().postReceive(Receive.of(1));
        pair.b().qp().postReceive(Receive.of(2));
        refused(Errno.ENOMEM, "receive queue of 2", () -> pair.b().qp().postReceive(Receive.of(3)));
    }

    // rule post-atomics
    @Test
    void atomicsOnAnAdapterWithoutThemAreRefusedAtPost() {
        Profile without = Profile.CONNECTX_5.with(AtomicCapabilities.NONE);
        Adapter plain = world.network().addAdapter("plain", without);
        ConnectedPair pair = ConnectedPair.between(
                world.network(),
                plain,
                bob,
                new Shape(
                        RcConnection.DEFAULT.withRdAtomic(1),
                        QpCapacity.of(4).withMaxSge(1).withMaxInlineBytes(0),
                        16,
                        4096));
        refused(
                Errno.EOPNOTSUPP,
                "no atomics",
                () -> pair.a()
                        .qp()
                        .post(FetchAdd.of(1, pair.a().slice(0, 8), pair.b().remote(0), 1)));
    }

    // rule post-sizes
    @Test
    void creationRefusesSizesAboveTheProfileAndRoundsUp() {
        var pd = alice.process("p").open().allocatePd();
        refused(
                Errno.EINVAL,
                "maxSendWr is 32769; 0 to 32768 is allowed",
                () -> world.await(pd.createQp(QpDescription.rc()
                        .withCapacity(QpCapacity.DEFAULT
                                .withMaxSendWr(32_769)
                                .withMaxRecvWr(1)
                                .withMaxSge(1)
                                .withMaxInlineBytes(0)))));
        refused(
                Errno.EINVAL,
                "entries of a completion queue is 0; 1 to 4194303",
                () -> world.await(pd.context().createCq(0)));
        assertThat(world.await(pd.createQp(QpDescription.rc()
                                .withCapacity(QpCapacity.DEFAULT
                                        .withMaxSendWr(100)
                                        .withMaxRecvWr(5)
                                        .withMaxSge(1)
                                        .withMaxInlineBytes(0))))
                        .capacity())
                .isEqualTo(QpCapacity.DEFAULT.withMaxRecvWr(8).withMaxSge(1).withMaxInlineBytes(0));
        assertThat(world.await(pd.context().createCq(100)).capacity()).isEqualTo(127);
    }

    // rule memory-rights
    @Test
    void registrationRefusesBadRightsForeignMemoryAndBadRanges() {
        var process = alice.process("p");
        var pd = process.open().allocatePd();
        var memory = process.allocate(100);
        refused(Errno.EINVAL, "require LOCAL_WRITE", () -> world.await(pd.register(memory, Access.REMOTE_WRITE)));
        refused(Errno.EINVAL, "require LOCAL_WRITE", () -> world.await(pd.register(memory, Access.REMOTE_ATOMIC)));
        refused(
                Errno.EINVAL,
                "51 bytes at offset 50",
                () -> world.await(pd.register(memory, 50, 51, AccessFlags.NONE)));
        refused(Errno.EINVAL, "-1 bytes at offset 0", () -> world.await(pd.register(memory, 0, -1, AccessFlags.NONE)));
        var foreign = bob.process("q").allocate(64);
        refused(Errno.EINVAL, "does not belong to this process", () -> world.await(pd.register(foreign)));
    }

    @Test
    void aCompletionQueueOfAnotherAdapterIsRefused() {
        CompletionQueue foreign = world.await(bob.process("q").open().createCq(10));
        refused(
                Errno.EINVAL,
                "another adapter",
                () -> world.await(alice.process("p")
                        .open()
                        .allocatePd()
                        .createQp(QpDescription.rc().withSendCq(foreign))));
    }

    @Test
    void aKeyOfAForeignDomainIsAProtectionErrorAtTheSender() {
        ConnectedPair pair = pair();
        var other = pair.a().context().allocatePd();
        var region = world.await(other.register(pair.a().memory(), Access.LOCAL_WRITE));
        WorkCompletion wc = world.await(pair.a()
                .qp()
                .submit(RdmaWrite.of(1, region.slice(0, 8), pair.b().remote(0))));
        assertThat(wc.status()).isEqualTo(Status.LOC_PROT_ERR);
    }

    // rules completion-place, completion-overrun
    @Test
    void aSubscriberWithoutDemandOverflowsItsQueueOnly() {
        ConnectedPair pair = pair(Shape.DEFAULT.withCqEntries(7));
        List<AsyncEvent> events = new ArrayList<>();
        pair.a().context().asyncEvents().subscribe(Subscribers.forEach(events::add));
        List<WorkCompletion> taken = new ArrayList<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        pair.a().sendCq().completions().subscribe(asking(3, taken, failure));
        world.settle();
        for (int i = 0; i < 20; i++) {
            pair.a()
                    .qp()
                    .post(RdmaWrite.of(i, pair.a().slice(0, 8), pair.b().remote(0))
                            .withSignaled());
        }
        world.settle();
        assertThat(taken).extracting(WorkCompletion::workId).containsExactly(0L, 1L, 2L);
        assertThat(events)
                .extracting(AsyncEvent::kind)
                .containsExactly(AsyncEvent.Kind.CQ_ERR, AsyncEvent.Kind.QP_FATAL);
        assertThat(pair.a().qp().state()).isEqualTo(QpState.ERR);
        assertThat(pair.b().qp().state()).isEqualTo(QpState.RTS);
        assertThat(failure.get()).isInstanceOf(VerbsException.class).hasMessageContaining("overflowed its 7 entries");
    }

    // rule completion-overrun
    @Test
    void anOverflowOfTheReceiversQueueLeavesTheSenderToTimeOut() {
        ConnectedPair pair = pair(Shape.DEFAULT
                .withCqEntries(3)
                .with(RcConnection.DEFAULT.withTimeoutCode(1).withRetryCount(2)));
        List<AsyncEvent> events = new ArrayList<>();
        pair.b().context().asyncEvents().subscribe(Subscribers.forEach(events::add));
        for (int i = 0; i < 8; i++) {
            pair.b().qp().postReceive(Receive.of(i, pair.b().slice(0, 64)));
        }
        List<CompletionStage<WorkCompletion>> sent = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            sent.add(pair.a().qp().submit(Send.of(i, pair.a().slice(0, 8))));
            world.settle();
        }
        sent.forEach(world::await);
        WorkCompletion late =
                world.await(pair.a().qp().submit(Send.of(9, pair.a().slice(0, 8))));
        assertThat(late.status()).isEqualTo(Status.RETRY_EXC_ERR);
        assertThat(events)
                .extracting(AsyncEvent::kind)
                .containsExactly(AsyncEvent.Kind.CQ_ERR, AsyncEvent.Kind.QP_FATAL);
    }

    @Test
    void aRequestOfOneDeliversOneCompletion() {
        ConnectedPair pair = pair();
        List<WorkCompletion> taken = new ArrayList<>();
        AtomicReference<Flow.Subscription> held = new AtomicReference<>();
        pair.a().sendCq().completions().subscribe(holding(held, taken));
        for (int i = 0; i < 5; i++) {
            pair.a()
                    .qp()
                    .post(RdmaWrite.of(i, pair.a().slice(0, 8), pair.b().remote(0))
                            .withSignaled());
        }
        world.settle();
        assertThat(taken).isEmpty();
        for (int i = 1; i <= 5; i++) {
            Objects.requireNonNull(held.get()).request(1);
            world.settle();
            assertThat(taken).hasSize(i);
        }
    }

    // rule completion-place
    @Test
    void cancellingLosesNothingAndTheNextSubscriberContinues() {
        ConnectedPair pair = pair();
        List<Long> seen = new ArrayList<>();
        pair.a().sendCq().completions().subscribe(new Flow.Subscriber<>() {
            private Flow.@Nullable Subscription mine;

            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                mine = subscription;
                subscription.request(100);
            }

            @Override
            public void onNext(WorkCompletion completion) {
                seen.add(completion.workId());
                if (seen.size() == 4 && mine != null) {
                    mine.cancel();
                    pair.a().sendCq().completions().subscribe(Subscribers.forEach(wc -> seen.add(wc.workId())));
                }
            }

            @Override
            public void onError(Throwable error) {
                throw new AssertionError(error);
            }

            @Override
            public void onComplete() {}
        });
        for (int i = 0; i < 10; i++) {
            pair.a()
                    .qp()
                    .post(RdmaWrite.of(i, pair.a().slice(0, 8), pair.b().remote(0))
                            .withSignaled());
        }
        world.settle();
        assertThat(seen).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    }

    @Test
    void aSecondSubscriberIsRefusedWithEbusy() {
        ConnectedPair pair = pair();
        pair.a().sendCq().completions().subscribe(Subscribers.forEach(wc -> {}));
        AtomicReference<Throwable> refusal = new AtomicReference<>();
        pair.a().sendCq().completions().subscribe(Subscribers.forEach(wc -> {}, refusal::set));
        world.settle();
        assertThat(refusal.get()).hasMessageContaining("EBUSY");
    }

    @Test
    void theStageOfARequestDroppedByAResetFailsWithTheReason() {
        ConnectedPair pair =
                pair(Shape.DEFAULT.with(RcConnection.DEFAULT.withTimeoutCode(0).withRetryCount(1)));
        world.network().intercept(transit -> new org.hcaactors.fabric.link.Verdict.Drop("all"));
        CompletionStage<WorkCompletion> stage = pair.a()
                .qp()
                .submit(RdmaWrite.of(7, pair.a().slice(0, 8), pair.b().remote(0)));
        world.settle();
        world.await(pair.a().qp().modify(QpModify.to(QpState.RESET)));
        refused(Errno.ECANCELED, "request 7 was dropped", () -> world.await(stage));
    }

    // rule qp-reset
    @Test
    void resettingFreesEverySlotAndPurgesTheCompletionQueue() {
        ConnectedPair pair =
                pair(Shape.DEFAULT.with(QpCapacity.of(4).withMaxSge(1).withMaxInlineBytes(0)));
        for (int i = 0; i < 4; i++) {
            pair.a()
                    .qp()
                    .post(RdmaWrite.of(i, pair.a().slice(0, 8), pair.b().remote(0))
                            .withSignaled());
        }
        world.settle();
        world.await(pair.a().qp().modify(QpModify.to(QpState.RESET)));
        world.await(pair.a().qp().connect(bob.gid(), pair.b().qp().number(), RcConnection.DEFAULT));
        List<WorkCompletion> taken = new ArrayList<>();
        pair.a().sendCq().completions().subscribe(Subscribers.forEach(taken::add));
        world.settle();
        assertThat(taken).isEmpty();
        for (int i = 0; i < 4; i++) {
            pair.a()
                    .qp()
                    .post(RdmaWrite.of(i, pair.a().slice(0, 8), pair.b().remote(0))
                            .withSignaled());
        }
    }

    @Test
    void destroyingAQueueThatIsUsedIsEbusyAndAfterwardsDone() {
        ConnectedPair pair = pair();
        refused(
                Errno.EBUSY,
                "used by 1 queue pairs",
                () -> world.await(pair.a().sendCq().destroy()));
        world.await(pair.a().qp().destroy());
        world.await(pair.a().sendCq().destroy());
        refused(Errno.EINVAL, "is closed", () -> pair.a().qp().post(Send.of(1)));
    }

    // rules event-counters, event-connects
    @Test
    void countersAreReadUnderTheirMlx5Names() {
        ConnectedPair pair = pair();
        world.await(pair.a()
                .qp()
                .submit(RdmaWrite.of(1, pair.a().slice(0, 8), pair.b().remote(0))));
        world.await(pair.a()
                .qp()
                .submit(RdmaRead.of(2, pair.a().slice(0, 8), pair.b().remote(0))));
        assertThat(bob.counters())
                .containsEntry("rx_write_requests", 1L)
                .containsEntry("rx_read_requests", 1L)
                .containsEntry("rx_atomic_requests", 0L)
                .containsEntry("rx_dct_connect", 0L)
                .containsEntry("tx_cnak", 0L)
                .containsEntry("tx_discard", 0L)
                .containsKey("local_ack_timeout_err");
    }

    private static Flow.Subscriber<WorkCompletion> asking(int count, List<WorkCompletion> into) {
        return asking(count, into, new AtomicReference<>());
    }

    private static Flow.Subscriber<WorkCompletion> asking(
            int count, List<WorkCompletion> into, AtomicReference<Throwable> failure) {
        AtomicReference<Flow.Subscription> held = new AtomicReference<>();
        return new Collecting(held, into, failure, count);
    }

    private static Flow.Subscriber<WorkCompletion> holding(
            AtomicReference<Flow.Subscription> held, List<WorkCompletion> into) {
        return new Collecting(held, into, new AtomicReference<>(), 0);
    }

    private record Collecting(
            AtomicReference<Flow.Subscription> held,
            List<WorkCompletion> into,
            AtomicReference<Throwable> failure,
            int first)
            implements Flow.Subscriber<WorkCompletion> {
        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            held.set(subscription);
            if (first > 0) {
                subscription.request(first);
            }
        }

        @Override
        public void onNext(WorkCompletion completion) {
            into.add(completion);
        }

        @Override
        public void onError(Throwable error) {
            failure.set(error);
        }

        @Override
        public void onComplete() {}
    }
}
