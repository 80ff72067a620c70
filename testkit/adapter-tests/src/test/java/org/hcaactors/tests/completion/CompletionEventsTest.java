// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CompletionQueue.Arm;
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
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arming, channels, moderation, resizing, overrun and timestamps (the page completion of the rule book). */
class CompletionEventsTest {
    private final World world = World.of(13);

    /** A receiving end whose completion queue reports to a channel, and a peer that sends to it. */
    private final class Setup {
        final DeviceContext context;
        final ProtectionDomain receiving;
        final CompletionChannel channel;
        final CompletionQueue cq;
        final QpPair<RcQueuePair> pair;
        final MemoryRegion from;
        final MemoryRegion into;
        final List<AsyncEvent> events = new ArrayList<>();

        Setup(Profile profile, CqDescription description) {
            Adapter a = world.network().addAdapter("a", Profile.CONNECTX_5);
            Adapter b = world.network().addAdapter("b", profile);
            context = b.process("app").open();
            context.asyncEvents().subscribe(Subscribers.forEach(events::add));
            channel = world.await(context.createChannel());
            cq = world.await(context.createCq(description.withChannel(channel)));
            ProtectionDomain pdA = a.process("app").open().allocatePd();
            receiving = context.allocatePd();
            from = world.await(pdA.register(a.process("app").allocate(4096), Access.LOCAL_WRITE));
            into = world.await(
                    receiving.register(b.process("app").allocate(4096), Access.LOCAL_WRITE, Access.REMOTE_WRITE));
            pair = world.await(QpPair.connectRc(
                    pdA, QpDescription.rc(), receiving, QpDescription.rc().withRecvCq(cq)));
            for (int i = 0; i < 100; i++) {
                pair.remote().postReceive(Receive.of(i, into.slice(0, 64)));
            }
        }

        void send(int count) {
            for (int i = 0; i < count; i++) {
                send(Send.of(i, from.slice(0, 8)));
            }
        }

        void send(Send work) {
            world.await(pair.local().submit(work));
            world.settle();
        }

        List<Long> poll(int max) {
            return world.await(cq.poll(max)).stream()
                    .map(WorkCompletion::workId)
                    .toList();
        }
    }

    private Setup setup() {
        return new Setup(Profile.CONNECTX_5, CqDescription.of(127));
    }

    @AfterEach
    void close() {
        world.close();
    }

    private static boolean isDone(CompletionStage<?> stage) {
        return stage.toCompletableFuture().isDone();
    }

    // rules completion-arm-once, completion-arm-forward
    @Test
    void anArmedQueueReportsOnceForAnEntryWrittenLater() {
        Setup setup = setup();
        CompletionStage<CompletionQueue> event = setup.channel.next();
        setup.send(1);
        assertThat(isDone(event)).as("unarmed").isFalse();
        setup.cq.arm(Arm.ANY);
        world.settle();
        assertThat(isDone(event)).as("arming looks only forward").isFalse();
        setup.send(2);
        assertThat(world.await(event)).isSameAs(setup.cq);
        CompletionStage<CompletionQueue> another = setup.channel.next();
        setup.send(1);
        assertThat(isDone(another)).as("one event an arm").isFalse();
        assertThat(setup.poll(100)).containsExactly(0L, 1L, 2L, 3L);
    }

    // rule completion-arm-forward
    @Test
    void aProfileCanMakeArmingFireForEntriesThatWereNotPolled() {
        Setup setup = new Setup(Profile.CONNECTX_5.with(Quirk.ARM_FIRES_FOR_UNPOLLED), CqDescription.of(127));
        setup.send(1);
        setup.cq.arm(Arm.SOLICITED);
        world.settle();
        CompletionStage<CompletionQueue> event = setup.channel.next();
        world.settle();
        assertThat(isDone(event)).as("no solicited entry is present").isFalse();
        setup.cq.arm(Arm.ANY);
        assertThat(world.await(event)).isSameAs(setup.cq);
    }

    // rule completion-arm-solicited
    @Test
    void aSolicitedArmWaitsForASolicitedSendOrAnError() {
        Setup setup = setup();
        CompletionStage<CompletionQueue> event = setup.channel.next();
        setup.cq.arm(Arm.SOLICITED);
        setup.send(3);
        assertThat(isDone(event)).isFalse();
        setup.send(Send.of(9, setup.from.slice(0, 8)).withSolicited());
        assertThat(isDone(event)).isTrue();
        setup.cq.arm(Arm.SOLICITED);
        CompletionStage<CompletionQueue> error = setup.channel.next();
        world.await(setup.pair.remote().modify(org.hcaactors.api.queue.QpModify.to(QpState.ERR)));
        world.settle();
        assertThat(isDone(error)).as("flushed receives are errors").isTrue();
    }

    // rule wire-solicited
    @Test
    void aWriteWithImmediateCanBeSolicitedAndAPlainWriteWritesNothing() {
        Setup setup = setup();
        CompletionStage<CompletionQueue> event = setup.channel.next();
        setup.cq.arm(Arm.SOLICITED);
        world.await(setup.pair
                .local()
                .submit(RdmaWrite.of(1, setup.from.slice(0, 8), setup.into.remote(0))
                        .withSolicited()));
        world.settle();
        assertThat(isDone(event)).isFalse();
        world.await(setup.pair
                .local()
                .submit(RdmaWrite.of(2, setup.from.slice(0, 8), setup.into.remote(0))
                        .withImmediate(5)
                        .withSolicited()));
        world.settle();
        assertThat(isDone(event)).isTrue();
        assertThat(world.await(setup.cq.poll(1)).getFirst().kind()).isEqualTo(CompletionKind.RECV_RDMA_WITH_IMM);
    }

    @Test
    void successfulSendsAreNeverSolicited() {
        Setup setup = setup();
        CompletionChannel channel = world.await(setup.context.createChannel());
        CompletionQueue sends =
                world.await(setup.context.createCq(CqDescription.of(10).withChannel(channel)));
        Adapter c = world.network().addAdapter("c", Profile.CONNECTX_5);
        ProtectionDomain pdC = c.process("app").open().allocatePd();
        ProtectionDomain pd = setup.receiving;
        QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(
                pd, QpDescription.rc().withSendCq(sends).withRecvCq(setup.cq), pdC, QpDescription.rc()));
        pair.remote().postReceive(Receive.of(1));
        sends.arm(Arm.SOLICITED);
        CompletionStage<CompletionQueue> event = channel.next();
        pair.local().post(Send.of(1).withSignaled().withSolicited());
        world.settle();
        assertThat(isDone(event)).isFalse();
        sends.arm(Arm.ANY);
        pair.remote().postReceive(Receive.of(2));
        pair.local().post(Send.of(2).withSignaled());
        assertThat(world.await(event)).isSameAs(sends);
    }

    /** The arm-and-poll loop, which programs often get wrong: this one is right in any order of turns. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89})
    void anArmPollWaitLoopMissesNoEntry(long seed) {
        try (World other = World.of(seed)) {
            Loop loop = new Loop(other);
            loop.rearm();
            for (int i = 0; i < 50; i++) {
                loop.sender.post(Send.of(i, loop.from.slice(0, 8)).withSignaled());
            }
            other.await(loop.sender.submit(Send.of(50, loop.from.slice(0, 8))));
            other.settle();
            assertThat(loop.seen).hasSize(51);
        }
    }

    /** Arms, polls until empty, and repeats with the next event. */
    private static final class Loop {
        final CompletionChannel channel;
        final CompletionQueue cq;
        final org.hcaactors.api.queue.RcQueuePair sender;
        final MemoryRegion from;
        final List<Long> seen = new ArrayList<>();

        Loop(World world) {
            Adapter a = world.network().addAdapter("a", Profile.CONNECTX_5);
            Adapter b = world.network().addAdapter("b", Profile.CONNECTX_5);
            DeviceContext context = b.process("app").open();
            channel = world.await(context.createChannel());
            cq = world.await(context.createCq(CqDescription.of(127).withChannel(channel)));
            ProtectionDomain pdA = a.process("app").open().allocatePd();
            ProtectionDomain pdB = context.allocatePd();
            from = world.await(pdA.register(a.process("app").allocate(4096), Access.LOCAL_WRITE));
            MemoryRegion into = world.await(pdB.register(b.process("app").allocate(4096), Access.LOCAL_WRITE));
            QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(
                    pdA, QpDescription.rc(), pdB, QpDescription.rc().withRecvCq(cq)));
            sender = pair.local();
            for (int i = 0; i < 60; i++) {
                pair.remote().postReceive(Receive.of(i, into.slice(0, 64)));
            }
        }

        void rearm() {
            CompletionStage<CompletionQueue> event = channel.next();
            cq.arm(Arm.ANY);
            drain(event);
        }

        private void drain(CompletionStage<CompletionQueue> event) {
            cq.poll(3).thenAccept(batch -> {
                batch.forEach(wc -> seen.add(wc.workId()));
                if (batch.isEmpty()) {
                    event.thenAccept(queue -> rearm());
                } else {
                    drain(event);
                }
            });
        }
    }

    @Test
    void pollingBeforeRearmingMissesAWakeUp() {
        Setup setup = setup();
        setup.cq.arm(Arm.ANY);
        setup.send(1);
        world.await(setup.channel.next());
        assertThat(setup.poll(10)).hasSize(1);
        setup.send(1); // arrives between the last poll and the arm
        setup.cq.arm(Arm.ANY);
        CompletionStage<CompletionQueue> event = setup.channel.next();
        world.runToQuiet(Duration.ofSeconds(1));
        assertThat(isDone(event)).as("the entry is present without an event").isFalse();
    }

    @Test
    void wakeUpsAreDeliveredAsAStream() {
        Setup setup = setup();
        List<CompletionQueue> woken = new ArrayList<>();
        setup.channel.wakeups().subscribe(Subscribers.forEach(queue -> {
            woken.add(queue);
            queue.arm(Arm.ANY);
        }));
        setup.cq.arm(Arm.ANY);
        setup.send(3);
        assertThat(woken).hasSize(3).containsOnly(setup.cq);
        refused(Errno.EBUSY, () -> world.await(setup.channel.next()));
    }

    @Test
    void aSharedChannelIsDestroyedAfterItsQueues() {
        Setup setup = setup();
        CompletionQueue second =
                world.await(setup.context.createCq(CqDescription.of(10).withChannel(setup.channel)));
        refused(Errno.EBUSY, () -> world.await(setup.channel.destroy()));
        world.await(second.destroy());
        refused(Errno.EBUSY, () -> world.await(setup.cq.destroy()));
        world.await(setup.pair.remote().destroy());
        world.await(setup.cq.destroy());
        world.settle();
        CompletionStage<CompletionQueue> waiting = setup.channel.next();
        world.await(setup.channel.destroy());
        assertThatThrownBy(() -> world.await(waiting)).hasMessageContaining("was destroyed");
    }

    // rule event-settled
    @Test
    void destroyingAQueueWaitsUntilItsFetchedEventsAreAcknowledged() {
        Setup setup = setup();
        HeldSubscriber<CompletionQueue> held = new HeldSubscriber<>();
        setup.channel.wakeups().subscribe(held);
        setup.cq.arm(Arm.ANY);
        setup.send(1);
        world.await(setup.pair.remote().destroy());
        held.destroying = () -> held.destroyed = setup.cq.destroy();
        held.request();
        world.settle();
        assertThat(held.wasOpenInside).as("not while onNext runs").isTrue();
        assertThat(isDone(held.destroyed)).isTrue();
    }

    /** Destroys the queue inside onNext, and checks whether that completes before it returns. */
    private static final class HeldSubscriber<T> implements Flow.Subscriber<T> {
        private Flow.Subscription subscription = new Flow.Subscription() {
            @Override
            public void request(long n) {}

            @Override
            public void cancel() {}
        };
        Runnable destroying = () -> {};
        CompletionStage<Void> destroyed = new java.util.concurrent.CompletableFuture<>();
        boolean wasOpenInside;

        void request() {
            subscription.request(1);
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
        }

        @Override
        public void onNext(T item) {
            destroying.run();
            wasOpenInside = !isDone(destroyed);
        }

        @Override
        public void onError(Throwable error) {}

        @Override
        public void onComplete() {}
    }

    // rule event-settled
    @Test
    void unfetchedEventsAreDiscardedWithTheirQueue() {
        Setup setup = setup();
        setup.cq.arm(Arm.ANY);
        setup.send(1);
        world.await(setup.pair.remote().destroy());
        world.await(setup.cq.destroy());
        CompletionStage<CompletionQueue> event = setup.channel.next();
        world.settle();
        assertThat(isDone(event)).isFalse();
    }

    // rule completion-moderation
    @Test
    void moderationDelaysTheEventAndNotTheEntries() {
        Setup setup = setup();
        world.await(setup.cq.moderate(3, Duration.ofNanos(1_000_000)));
        setup.cq.arm(Arm.ANY);
        CompletionStage<CompletionQueue> byCount = setup.channel.next();
        setup.send(2);
        assertThat(isDone(byCount)).isFalse();
        assertThat(setup.poll(10)).hasSize(2);
        setup.send(1);
        assertThat(isDone(byCount)).isTrue();
        setup.cq.arm(Arm.ANY);
        CompletionStage<CompletionQueue> byTime = setup.channel.next();
        setup.send(1);
        assertThat(isDone(byTime)).isFalse();
        world.runFor(Duration.ofMillis(2));
        assertThat(isDone(byTime)).isTrue();
    }

    // rule completion-moderation-changed
    @Test
    void aChangeOfModerationLosesNoWakeUp() {
        Setup setup = setup();
        for (int[] attributes : new int[][] {{0, 0}, {2, 0}, {0, 1_000}, {9, 1_000}}) {
            world.await(setup.cq.moderate(4, Duration.ZERO));
            setup.cq.arm(Arm.ANY);
            CompletionStage<CompletionQueue> event = setup.channel.next();
            setup.send(2);
            assertThat(isDone(event)).isFalse();
            world.await(setup.cq.moderate(attributes[0], Duration.ofNanos(attributes[1])));
            world.runFor(Duration.ofNanos(10_000));
            assertThat(isDone(event))
                    .as("(%d, %d)", attributes[0], attributes[1])
                    .isTrue();
        }
    }

    // rule completion-moderation-limits
    @Test
    void moderationHasLimitsAndSoftRoceHasNone() {
        Setup setup = setup();
        refused(Errno.EINVAL, () -> world.await(setup.cq.moderate(65_536, Duration.ZERO)));
        refused(Errno.EINVAL, () -> world.await(setup.cq.moderate(1, Duration.ofNanos(4_096_000))));
        world.await(setup.cq.moderate(65_535, Duration.ofNanos(4_095_000)));
        Adapter soft = world.network().addAdapter("soft", Profile.SOFT_ROCE);
        CompletionQueue cq = world.await(soft.process("app").open().createCq(10));
        refused(Errno.EOPNOTSUPP, () -> world.await(cq.moderate(1, Duration.ZERO)));
    }

    // rule completion-resize
    @Test
    void resizingKeepsEntriesOrderAndArming() {
        Setup setup = new Setup(Profile.CONNECTX_5, CqDescription.of(7));
        assertThat(setup.cq.capacity()).isEqualTo(7);
        setup.send(5);
        setup.cq.arm(Arm.ANY);
        CompletionStage<CompletionQueue> event = setup.channel.next();
        refused(Errno.EINVAL, () -> world.await(setup.cq.resize(2)));
        refused(Errno.EINVAL, () -> world.await(setup.cq.resize(0)));
        refused(Errno.EINVAL, () -> world.await(setup.cq.resize(1 << 30)));
        world.await(setup.cq.resize(20));
        assertThat(setup.cq.capacity()).isEqualTo(31);
        setup.send(10);
        assertThat(isDone(event)).isTrue();
        assertThat(setup.poll(100)).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L, 13L, 14L);
        world.await(setup.cq.resize(1));
        assertThat(setup.cq.capacity()).isEqualTo(1);
    }

    // rule completion-overrun
    @Test
    void anUnpolledQueueOverrunsAndFailsItsQueuePairs() {
        Setup setup = new Setup(Profile.CONNECTX_5, CqDescription.of(3));
        for (int i = 0; i < 3; i++) {
            setup.send(1);
        }
        assertThat(setup.events).isEmpty();
        setup.pair.local().post(Send.of(9, setup.from.slice(0, 8)));
        world.settle();
        assertThat(setup.events)
                .extracting(AsyncEvent::kind)
                .containsExactly(AsyncEvent.Kind.CQ_ERR, AsyncEvent.Kind.QP_FATAL);
        assertThat(setup.pair.remote().state()).isEqualTo(QpState.ERR);
        refused(Errno.EIO, () -> world.await(setup.cq.poll(1)));
    }

    // rule completion-overrun
    @Test
    void onSoftRoceAnOverrunLosesTheEntryAndTheQpContinues() {
        Setup setup = new Setup(Profile.SOFT_ROCE, CqDescription.of(3));
        setup.send(5);
        assertThat(setup.events).extracting(AsyncEvent::kind).contains(AsyncEvent.Kind.CQ_ERR);
        assertThat(setup.pair.remote().state()).isEqualTo(QpState.RTS);
        assertThat(setup.poll(10)).containsExactly(0L, 1L, 2L);
    }

    // rule completion-overrun-ignored
    @Test
    void anIgnoredOverrunKeepsTheNewestEntries() {
        Setup setup = new Setup(Profile.CONNECTX_5, CqDescription.of(3).withIgnoreOverrun());
        setup.send(5);
        assertThat(setup.events).extracting(AsyncEvent::kind).doesNotContain(AsyncEvent.Kind.CQ_ERR);
        assertThat(setup.poll(10)).containsExactly(2L, 3L, 4L);
    }

    // rule completion-timestamp
    @Test
    void timestampsAreTicksOfTheAdaptersClockAndNeverGoBack() {
        Setup setup = new Setup(Profile.CONNECTX_5, CqDescription.of(127).withTimestamps());
        long before = setup.context.clockTicks();
        setup.send(1);
        world.runFor(Duration.ofMillis(1));
        setup.send(1);
        List<Long> ticks = world.await(setup.cq.poll(10)).stream()
                .map(wc -> wc.timestampTicks().orElseThrow())
                .toList();
        assertThat(ticks.get(0)).isBetween(before, setup.context.clockTicks());
        assertThat(ticks.get(1) - ticks.get(0)).isBetween(156_250L, 400_000L);
    }

    @Test
    void withoutTheFlagCompletionsHaveNoTimestamps() {
        Setup setup = setup();
        setup.send(1);
        assertThat(world.await(setup.cq.poll(1)).getFirst().timestampTicks()).isEmpty();
    }

    // rule completion-size
    @Test
    void sizesAndVectorsOutOfRangeAreRefused() {
        Setup setup = setup();
        refused(Errno.EINVAL, () -> world.await(setup.context.createCq(0)));
        refused(Errno.EINVAL, () -> world.await(setup.context.createCq(4_194_304)));
        refused(
                Errno.EINVAL,
                () -> world.await(setup.context.createCq(CqDescription.of(10).withVector(16))));
        refused(
                Errno.EINVAL,
                () -> world.await(setup.context.createCq(CqDescription.of(10).withVector(-1))));
        assertThat(world.await(setup.context.createCq(CqDescription.of(10).withVector(15)))
                        .capacity())
                .isEqualTo(15);
        Adapter other = world.network().addAdapter("other", Profile.CONNECTX_5);
        refused(
                Errno.EINVAL,
                () -> world.await(
                        other.process("x").open().createCq(CqDescription.of(10).withChannel(setup.channel))));
    }

    @Test
    void pollNeedsAPositiveNumberAndIsBusyDuringASubscription() {
        Setup setup = setup();
        refused(Errno.EINVAL, () -> world.await(setup.cq.poll(0)));
        setup.cq.completions().subscribe(Subscribers.forEach(wc -> {}));
        world.settle();
        refused(Errno.EBUSY, () -> world.await(setup.cq.poll(1)));
    }

    // rule post-slot
    @Test
    void unsignaledRequestsFreeSlotsWithALaterSignaledOne() {
        Setup setup = setup();
        int capacity = setup.pair.local().capacity().maxSendWr();
        for (int i = 0; i < 100; i++) {
            setup.pair.local().post(Send.of(i, setup.from.slice(0, 8)));
        }
        world.settle();
        for (int i = 100; i < capacity; i++) {
            setup.pair.local().post(RdmaWrite.of(i, setup.from.slice(0, 8), setup.into.remote(0)));
        }
        world.settle();
        refused(Errno.ENOMEM, () -> setup.pair.local().post(Send.of(999, setup.from.slice(0, 8))));
    }

    @Test
    void anAsynchronousEventCanBeTakenAsAStage() {
        Setup setup = setup();
        DeviceContext other = setup.context.adapter().process("other").open();
        CompletionStage<AsyncEvent> event = other.nextAsyncEvent();
        world.network().unplug(setup.context.adapter());
        assertThat(world.await(event)).isEqualTo(new AsyncEvent(AsyncEvent.Kind.PORT_ERR, 1));
    }

    private static void refused(Errno errno, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }
}
