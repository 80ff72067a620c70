// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.capability.VerbTimes;
import org.hcaactors.api.capability.VerbTimes.Step;
import org.hcaactors.api.completion.WakeCause;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.lab.fault.Interval;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.scenario.Scenario;
import org.hcaactors.lab.scenario.ScenarioRun;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.hcaactors.tests.setup.NotifySetup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Virtual time of operations other than packets and page faults. */
class VerbTimesTest {
    private static final WorldOptions TAKING_TIME = WorldOptions.of(1).takingTime();

    private static long registration(WorldOptions options, Profile profile) {
        try (World world = World.of(options)) {
            HostProcess process = world.adapter("a", profile).process("app");
            ProtectionDomain domain = process.open().allocatePd();
            long before = world.now();
            world.await(domain.register(Registration.of(process.allocate(4096))));
            return world.now() - before;
        }
    }

    /** Returns the time from a message until the thread runs and, if the unit is off, its channel has the event. */
    private static long wakeUp(boolean unitIsOff) {
        try (World world = World.of(TAKING_TIME)) {
            NotifySetup ground = new NotifySetup(world);
            if (unitIsOff) {
                world.faults().now().turnNotifyUnitOff(ground.b, Interval.FOR_EVER);
            }
            CompletionStage<WakeCause> wait = ground.waiter.await();
            ground.inbox.arm();
            long before = world.now();
            ground.inbox.message();
            WakeCause cause = world.await(wait);
            long woken = world.now() - before;
            assertThat(cause).isEqualTo(unitIsOff ? WakeCause.MSI_FALLBACK : WakeCause.AS_NOTIFY);
            if (unitIsOff) {
                world.await(ground.channel.next());
                assertThat(world.now() - before).isEqualTo(woken);
            }
            return woken;
        }
    }

    // rule memory-verb-times
    @Test
    void aRegistrationTakesTheTimeOfItsProfile() {
        assertThat(registration(TAKING_TIME, Profile.CONNECTX_5)).isEqualTo(10_000);
        assertThat(registration(TAKING_TIME, Profile.CONNECTX_5.with(VerbTimes.NONE)))
                .isZero();
        assertThat(registration(TAKING_TIME, Profile.SOFT_ROCE.with(VerbTimes.NONE.with(Step.REGISTER, 77))))
                .isEqualTo(77);
    }

    private static Duration scenario(String more) {
        Scenario scenario = Scenario.parse("""
                title = "t"
                adapters { a {}, b {} }
                objects { pair { type = rc, between = [a, b] } }
                traffic = [ { on = pair, bind = 64 } ]
                %s
                """.formatted(more), "t");
        try (ScenarioRun run = ScenarioRun.of(scenario, 1)) {
            return Duration.ofNanos(run.outcome().nanos());
        }
    }

    // rule memory-verb-times
    @Test
    void aScenarioMayLetVerbsTakeTime() {
        assertThat(scenario("")).isZero();
        assertThat(scenario("verbs-take-time = true")).isGreaterThanOrEqualTo(Duration.ofNanos(1000));
        assertThat(scenario("verbs-take-time = true, adapters.a.with.times.bind-nanos = 70000"))
                .isGreaterThanOrEqualTo(Duration.ofNanos(70_000));
    }

    // rule memory-verb-times
    @Test
    void withoutVerbTimesARegistrationTakesNoTime() {
        assertThat(registration(WorldOptions.of(1), Profile.CONNECTX_5)).isZero();
    }

    // rule memory-verb-times
    @Test
    void bindingAndInvalidatingTakeLessTimeThanRegistering() {
        VerbTimes times = Profile.CONNECTX_5.times();
        assertThat(times.nanos(Step.BIND)).isLessThan(times.nanos(Step.REGISTER));
        try (World world = World.of(TAKING_TIME)) {
            RcEnd end = world.connect(world.adapter("a"), world.adapter("b")).b();
            MemoryRegion region = world.await(end.domain().register(end.memory(), Access.LOCAL_WRITE, Access.MW_BIND));
            MemoryWindow window = world.await(end.domain().allocateWindow(WindowType.TYPE_2));
            long before = world.now();
            world.await(end.qp().submit(BindWindow.of(1, window, WindowBinding.of(region))));
            assertThat(world.now() - before).isEqualTo(times.nanos(Step.BIND));
            before = world.now();
            world.await(end.qp().submit(LocalInvalidate.of(2, window.rkey())));
            assertThat(world.now() - before).isEqualTo(times.nanos(Step.INVALIDATE));
        }
    }

    // rule notify-times
    @Test
    void anInterruptInsteadOfANotificationTakesLonger() {
        VerbTimes times = NotifySetup.PROFILE.times();
        assertThat(wakeUp(false)).isEqualTo(times.nanos(Step.NOTIFY));
        assertThat(wakeUp(true)).isEqualTo(times.nanos(Step.NOTIFY) + times.nanos(Step.INTERRUPT));
    }

    // rules notify-times, notify-unit-off
    @Test
    void aWaitMayBeginWhileAnInterruptIsOnItsWay() {
        try (World world = World.of(TAKING_TIME)) {
            NotifySetup ground = new NotifySetup(world);
            world.faults().now().turnNotifyUnitOff(ground.b, Interval.FOR_EVER);
            ground.inbox.arm();
            long before = world.now();
            ground.inbox.message();
            VerbTimes times = NotifySetup.PROFILE.times();
            long woken = before + times.nanos(Step.NOTIFY) + times.nanos(Step.INTERRUPT);
            world.runFor(Duration.ofNanos(woken - 1 - world.now()));
            assertThat(world.await(ground.waiter.await())).isEqualTo(WakeCause.MSI_FALLBACK);
            assertThat(world.now()).isEqualTo(woken);
        }
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void stepTimesOutOfRangeAreRefused(Step step) {
        List<Long> refused = new ArrayList<>();
        for (long wrong : new long[] {-1, VerbTimes.MAX_NANOS + 1}) {
            try {
                VerbTimes.NONE.with(step, wrong);
            } catch (IllegalArgumentException told) {
                refused.add(wrong);
            }
        }
        assertThat(refused).hasSize(2);
        assertThat(Duration.ofNanos(
                        VerbTimes.NONE.with(step, VerbTimes.MAX_NANOS).nanos(step)))
                .isEqualTo(Duration.ofSeconds(1));
    }
}
