// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.completion.WakeCause;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.lab.fault.Interval;
import org.hcaactors.lab.fault.Trigger;
import org.hcaactors.lab.world.World;
import org.hcaactors.tests.setup.NotifySetup;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Completion queues that wake a thread (the page notify of the rule book). */
class NotifyTest {
    private final World world = World.of(16);

    @AfterEach
    void close() {
        world.close();
    }

    // rule notify-create
    @Test
    void withoutTheFirmwareSettingAQueueWithAWaiterIsRefused() {
        DeviceContext plain = world.network()
                .addAdapter("plain", Profile.CONNECTX_5)
                .process("app")
                .open();
        Waiter waiter = world.await(plain.process().startWaiter());
        assertThatThrownBy(() -> world.await(plain.createCq(CqDescription.of(10).withWaiter(waiter))))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        refused -> assertThat(refused.errno()).isEqualTo(Errno.EOPNOTSUPP))
                .hasMessageContaining("AS-notify");
    }

    // rule notify-own
    @Test
    void aThreadOfAnotherProcessOrAnEndedOneIsRefused() {
        NotifySetup ground = new NotifySetup(world);
        Waiter stranger = world.await(ground.b.process("other").startWaiter());
        Waiter dead = world.await(ground.process.startWaiter());
        world.await(dead.end());
        for (Waiter wrong : List.of(stranger, dead)) {
            CqDescription requested = CqDescription.of(10).withWaiter(wrong);
            assertThat(NotifySetup.refusal(ground.context.createCq(requested))).isEqualTo(Errno.EINVAL);
        }
    }

    // rules notify-wakes, notify-counters
    @Test
    void anArmedQueueWakesItsThreadOnceAndNotItsChannel() {
        NotifySetup ground = new NotifySetup(world);
        CompletionStage<CompletionQueue> event = ground.channel.next();
        ground.inbox.arm();
        CompletionStage<WakeCause> wait = ground.waiter.await();
        assertThat(ground.isDone(wait)).isFalse();
        assertThat(ground.waiter.state()).isEqualTo(Waiter.State.WAITING);
        ground.inbox.message();
        assertThat(world.await(wait)).isEqualTo(WakeCause.AS_NOTIFY);
        assertThat(ground.waiter.state()).isEqualTo(Waiter.State.RUNNING);
        CompletionStage<WakeCause> another = ground.waiter.await();
        ground.inbox.message();
        assertThat(ground.isDone(another)).as("one wake-up an arm").isFalse();
        assertThat(ground.isDone(event)).isFalse();
        assertThat(ground.counter("as_notify_delivered")).isEqualTo(1);
        assertThat(ground.counter("as_notify_latched")).isZero();
        assertThat(ground.counter("msi_fallback")).isZero();
    }

    // rule notify-wakes
    @Test
    void aQueueThatIsNotArmedWakesNoThread() {
        NotifySetup ground = new NotifySetup(world);
        CompletionStage<WakeCause> wait = ground.waiter.await();
        ground.inbox.message();
        assertThat(ground.isDone(wait)).isFalse();
    }

    // rule notify-own
    @Test
    void otherThreadsAreNotWoken() {
        NotifySetup ground = new NotifySetup(world);
        Waiter otherWaiter = world.await(ground.process.startWaiter());
        NotifySetup.Inbox second = ground.inbox(CqDescription.of(10).withWaiter(otherWaiter));
        ground.inbox.arm();
        second.arm();
        CompletionStage<WakeCause> others = otherWaiter.await();
        ground.inbox.message();
        assertThat(ground.isDone(others)).isFalse();
        assertThat(world.await(ground.waiter.await())).isEqualTo(WakeCause.AS_NOTIFY);
        second.message();
        assertThat(world.await(others)).isEqualTo(WakeCause.AS_NOTIFY);
    }

    // rules notify-latched, notify-counters
    @Test
    void aMessageBetweenArmingAndWaitingEndsOnlyTheNextWait() {
        NotifySetup ground = new NotifySetup(world);
        ground.inbox.arm();
        assertThat(ground.inbox.poll()).isEmpty();
        ground.inbox.message();
        assertThat(world.await(ground.waiter.await())).isEqualTo(WakeCause.AS_NOTIFY);
        assertThat(ground.isDone(ground.waiter.await())).isFalse();
        assertThat(ground.counter("as_notify_delivered")).isEqualTo(1);
        assertThat(ground.counter("as_notify_latched")).isEqualTo(1);
    }

    // rules notify-latched, completion-arm-forward
    @Test
    void aWaitWithoutASecondPollMissesAnEarlierEntry() {
        NotifySetup ground = new NotifySetup(world);
        assertThat(ground.inbox.poll()).isEmpty();
        ground.inbox.message();
        ground.inbox.arm();
        CompletionStage<WakeCause> wait = ground.waiter.await();
        assertThat(ground.isDone(wait)).isFalse();
        assertThat(ground.inbox.poll()).hasSize(1);
    }

    // rules notify-wakes, completion-arm-forward
    @Test
    void anAdapterThatFiresForUnpolledEntriesWakesTheThread() {
        NotifySetup ground = new NotifySetup(world, NotifySetup.PROFILE.with(Quirk.ARM_FIRES_FOR_UNPOLLED));
        ground.inbox.message();
        ground.inbox.arm();
        assertThat(world.await(ground.waiter.await())).isEqualTo(WakeCause.AS_NOTIFY);
        ground.inbox.poll();
        ground.inbox.arm();
        assertThat(ground.isDone(ground.waiter.await())).isFalse();
    }

    // rules notify-wakes, completion-arm-solicited
    @Test
    void anArmForSolicitedEntriesWakesForThoseOnly() {
        NotifySetup ground = new NotifySetup(world);
        ground.inbox.cq.arm(CompletionQueue.Arm.SOLICITED);
        CompletionStage<WakeCause> wait = ground.waiter.await();
        ground.inbox.message();
        assertThat(ground.isDone(wait)).isFalse();
        ground.inbox.solicited();
        assertThat(ground.isDone(wait)).isTrue();
    }

    // rules notify-wakes, completion-moderation
    @Test
    void moderationDelaysTheWakeUp() {
        NotifySetup ground = new NotifySetup(world);
        world.await(ground.inbox.cq.moderate(3, Duration.ZERO));
        ground.inbox.arm();
        CompletionStage<WakeCause> wait = ground.waiter.await();
        ground.inbox.message();
        ground.inbox.message();
        assertThat(ground.isDone(wait)).isFalse();
        ground.inbox.message();
        assertThat(ground.isDone(wait)).isTrue();
    }

    // rules notify-gone, notify-counters
    @Test
    void ifTheThreadHasEndedItsChannelGetsTheEvent() {
        NotifySetup ground = new NotifySetup(world);
        CompletionStage<WakeCause> wait = ground.waiter.await();
        world.faults().now().endWaiter(ground.b, ground.waiter);
        world.settle();
        assertThat(NotifySetup.refusal(wait)).isEqualTo(Errno.ECANCELED);
        assertThat(ground.waiter.state()).isEqualTo(Waiter.State.GONE);
        ground.inbox.arm();
        ground.inbox.message();
        assertThat(world.await(ground.channel.next())).isSameAs(ground.inbox.cq);
        assertThat(ground.counter("msi_fallback")).isEqualTo(1);
        assertThat(ground.counter("as_notify_delivered")).isZero();
        CompletionStage<WakeCause> late = ground.waiter.await();
        world.settle();
        assertThat(NotifySetup.refusal(late)).isEqualTo(Errno.EINVAL);
    }

    // rules notify-unit-off, notify-counters
    @Test
    void withTheUnitOffAnInterruptWakesThreadAndChannel() {
        NotifySetup ground = new NotifySetup(world);
        world.faults().now().turnNotifyUnitOff(ground.b, Interval.FOR_EVER);
        CompletionStage<WakeCause> wait = ground.waiter.await();
        ground.inbox.arm();
        ground.inbox.message();
        assertThat(world.await(wait)).isEqualTo(WakeCause.MSI_FALLBACK);
        assertThat(world.await(ground.channel.next())).isSameAs(ground.inbox.cq);
        assertThat(ground.counter("msi_fallback")).isEqualTo(1);
        world.faults().stop();
        ground.inbox.arm();
        ground.inbox.message();
        assertThat(world.await(ground.waiter.await())).isEqualTo(WakeCause.AS_NOTIFY);
    }

    // rule notify-wakes
    @Test
    void aLostNotificationIsNeverDelivered() {
        NotifySetup ground = new NotifySetup(world);
        world.faults().loseWakeup(ground.b, ground.inbox.cq, new Trigger.Nth(2));
        for (boolean arrives : new boolean[] {true, false, true}) {
            ground.inbox.arm();
            CompletionStage<WakeCause> wait = ground.waiter.await();
            ground.inbox.message();
            assertThat(ground.isDone(wait)).isEqualTo(arrives);
            ground.waiter.interrupt();
            world.settle();
        }
    }

    // rule notify-wakes
    @Test
    void everyFaultOnAQueueCountsAllItsNotifications() {
        NotifySetup ground = new NotifySetup(world);
        world.faults().loseWakeup(ground.b, ground.inbox.cq, new Trigger.Nth(1));
        world.faults().loseWakeup(ground.b, ground.inbox.cq, new Trigger.Nth(3));
        for (boolean arrives : new boolean[] {false, true, false, true}) {
            ground.inbox.arm();
            CompletionStage<WakeCause> wait = ground.waiter.await();
            ground.inbox.message();
            assertThat(ground.isDone(wait)).isEqualTo(arrives);
            ground.waiter.interrupt();
            world.settle();
        }
        assertThat(world.faults().firings()).hasSize(2);
    }

    // rule notify-destroyed
    @Test
    void aWaitFailsWhenItsQueueIsDestroyed() {
        NotifySetup ground = new NotifySetup(world);
        CompletionStage<WakeCause> wait = ground.waiter.await();
        world.await(ground.inbox.pair.remote().closeAsync());
        world.await(ground.inbox.cq.destroy());
        assertThat(NotifySetup.refusal(wait)).isEqualTo(Errno.ECANCELED);
        assertThat(NotifySetup.refusal(settled(ground.waiter.await()))).isEqualTo(Errno.EINVAL);
    }

    private CompletionStage<?> settled(CompletionStage<?> stage) {
        world.settle();
        return stage;
    }

    // rules notify-destroyed, notify-vain
    @ParameterizedTest(name = "waiting already: {0}")
    @ValueSource(booleans = {true, false})
    void aWaitFailsWhenItsQueueIsInError(boolean already) {
        NotifySetup ground = new NotifySetup(world);
        NotifySetup.Inbox small = ground.inbox(CqDescription.of(1).withWaiter(ground.waiter));
        CompletionStage<WakeCause> wait = ground.waiter.await();
        if (!already) {
            ground.waiter.interrupt();
        }
        small.message();
        small.message();
        world.settle();
        if (!already) {
            wait = ground.waiter.await();
            world.settle();
        }
        assertThat(NotifySetup.refusal(wait)).isEqualTo(Errno.EIO);
        assertThat(ground.isDone(ground.waiter.await()))
                .as("another queue can wake it")
                .isFalse();
    }

    // rule notify-device-fatal
    @Test
    void aWaitFailsWhenItsAdapterIsInError() {
        NotifySetup ground = new NotifySetup(world);
        CompletionStage<WakeCause> wait = ground.waiter.await();
        world.faults().now().crash(ground.b);
        world.settle();
        assertThat(NotifySetup.refusal(wait)).isEqualTo(Errno.EIO);
        assertThat(NotifySetup.refusal(settled(ground.waiter.await()))).isEqualTo(Errno.EIO);
    }

    // rule notify-gone
    @ParameterizedTest(name = "power cycle: {0}")
    @ValueSource(booleans = {true, false})
    void aWaitFailsWhenItsProcessEnds(boolean power) {
        NotifySetup ground = new NotifySetup(world);
        CompletionStage<WakeCause> wait = ground.waiter.await();
        if (power) {
            world.faults().now().powerCycle(ground.b, Duration.ofMillis(1));
        } else {
            world.faults().now().kill(ground.b, "app");
        }
        world.settle();
        assertThat(NotifySetup.refusal(wait)).isEqualTo(Errno.ECANCELED);
        assertThat(NotifySetup.refusal(settled(ground.waiter.await()))).isEqualTo(Errno.EINVAL);
        assertThat(NotifySetup.refusal(settled(ground.process.startWaiter()))).isEqualTo(Errno.EINVAL);
    }

    @Test
    void aThreadInUseByAQueueIsNotClosedAndIsALeak() {
        NotifySetup ground = new NotifySetup(world);
        assertThat(NotifySetup.refusal(settled(ground.waiter.closeAsync()))).isEqualTo(Errno.EBUSY);
        assertThat(ground.waiter.state()).isEqualTo(Waiter.State.RUNNING);
        assertThat(world.network().leaks().toString()).contains("waiter 1");
        world.await(ground.inbox.pair.remote().closeAsync());
        world.await(ground.inbox.cq.destroy());
        world.await(ground.waiter.closeAsync());
        assertThat(world.network().leaks().toString()).doesNotContain("waiter 1");
    }

    @Test
    void aSecondConcurrentWaitIsRefused() {
        NotifySetup ground = new NotifySetup(world);
        CompletionStage<WakeCause> first = ground.waiter.await();
        assertThat(NotifySetup.refusal(settled(ground.waiter.await()))).isEqualTo(Errno.EBUSY);
        List<Throwable> refused = new ArrayList<>();
        ground.waiter.wakeups().subscribe(Subscribers.forEach(cause -> {}, refused::add));
        world.settle();
        assertThat(refused).hasSize(1);
        ground.waiter.interrupt();
        world.settle();
        assertThat(NotifySetup.refusal(first)).isEqualTo(Errno.ECANCELED);
        ground.waiter.wakeups().subscribe(Subscribers.forEach(cause -> {}));
        world.settle();
        assertThat(NotifySetup.refusal(settled(ground.waiter.await()))).isEqualTo(Errno.EBUSY);
    }

    /** Subscriber that requests one wait at a time. */
    private static final class ByHand implements Flow.Subscriber<WakeCause> {
        final List<WakeCause> woken = new ArrayList<>();
        final List<String> ends = new ArrayList<>();
        private Flow.@Nullable Subscription subscription;

        Flow.Subscription subscription() {
            return Objects.requireNonNull(subscription);
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
        }

        @Override
        public void onNext(WakeCause cause) {
            woken.add(cause);
        }

        @Override
        public void onError(Throwable reason) {
            ends.add(((VerbsException) reason).errno().toString());
        }

        @Override
        public void onComplete() {
            ends.add("complete");
        }
    }

    private ByHand byHand(Waiter waiter) {
        ByHand subscriber = new ByHand();
        waiter.wakeups().subscribe(subscriber);
        world.settle();
        return subscriber;
    }

    // rules notify-wakes, notify-latched
    @Test
    void aStreamWaitsWhileItHasDemand() {
        NotifySetup ground = new NotifySetup(world);
        ByHand stream = byHand(ground.waiter);
        ground.inbox.arm();
        ground.inbox.message();
        assertThat(stream.woken).isEmpty();
        stream.subscription().request(2);
        world.settle();
        assertThat(stream.woken).containsExactly(WakeCause.AS_NOTIFY);
        assertThat(ground.waiter.state()).isEqualTo(Waiter.State.WAITING);
        ground.inbox.arm();
        ground.inbox.message();
        assertThat(stream.woken).hasSize(2);
        assertThat(ground.waiter.state()).isEqualTo(Waiter.State.RUNNING);
        stream.subscription().request(1);
        world.settle();
        stream.subscription().cancel();
        world.settle();
        assertThat(ground.waiter.state()).isEqualTo(Waiter.State.RUNNING);
        ground.inbox.arm();
        ground.inbox.message();
        assertThat(stream.woken).hasSize(2);
        assertThat(world.await(ground.waiter.await())).isEqualTo(WakeCause.AS_NOTIFY);
    }

    // rules notify-destroyed, notify-gone
    @ParameterizedTest(name = "the thread ends: {0}")
    @ValueSource(booleans = {true, false})
    void aStreamEndsWithItsThreadAndFailsWithItsLastQueue(boolean end) {
        NotifySetup ground = new NotifySetup(world);
        ByHand stream = byHand(ground.waiter);
        stream.subscription().request(5);
        world.settle();
        if (end) {
            world.await(ground.waiter.end());
        } else {
            world.await(ground.inbox.pair.remote().closeAsync());
            world.await(ground.inbox.cq.destroy());
        }
        world.await(ground.process.exit());
        world.settle();
        assertThat(stream.ends).containsExactly(end ? "complete" : "ECANCELED");
    }
}
