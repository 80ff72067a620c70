// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.firmware;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.capability.PlatformCapabilities;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.firmware.Restart;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.XrcDomain;
import org.hcaactors.api.queue.XrcDomainDescription;
import org.hcaactors.api.queue.XrcQueuePair;
import org.hcaactors.api.queue.XrcTarget;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A restart of an adapter during posts, arms, waits and closes, in any order and schedule. */
@Tag("judge")
class RestartRaceTest {
    private static final Profile PROFILE =
            Profile.CONNECTX_5_IBM.with(PlatformCapabilities.NONE.with(PlatformCapabilities.Feature.AS_NOTIFY));

    private final List<CompletionStage<?>> open = new ArrayList<>();

    static List<Long> seeds() {
        return java.util.stream.LongStream.rangeClosed(1, 40).boxed().toList();
    }

    // rules firmware-restart, notify-device-fatal, notify-destroyed
    @ParameterizedTest
    @MethodSource("seeds")
    void everyStageEndsAndNoObjectIsLeft(long seed) {
        try (World world = World.of(seed)) {
            Adapter a = world.network().addAdapter("a", PROFILE);
            Adapter b = world.network().addAdapter("b", PROFILE);
            Side here = Side.of(world.network(), a, "app", 4096);
            Side there = Side.of(world.network(), b, "app", 4096);
            Waiter thread = world.await(a.process("app").startWaiter());
            CompletionQueue queue =
                    world.await(here.context().createCq(CqDescription.of(127).withWaiter(thread)));
            QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(
                    here.domain(), QpDescription.rc().withSendCq(queue), there.domain(), QpDescription.rc()));
            List<Runnable> acts = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                acts.add(post(i, pair.local(), here, there));
            }
            acts.add(() -> queue.arm(CompletionQueue.Arm.ANY));
            acts.add(() -> open.add(thread.await()));
            acts.add(() -> open.add(thread.end()));
            acts.add(() -> open.add(queue.poll(4)));
            acts.add(() -> open.add(a.firmware().restart(Restart.POWER_CYCLE)));
            acts.add(() -> open.add(a.firmware().restart(Restart.FIRMWARE_RESET)));
            acts.add(() -> makesAnew(a, thread));
            acts.add(() -> open.add(b.firmware().restart(Restart.WARM_REBOOT)));
            acts.add(() -> open.add(pair.local().closeAsync()));
            acts.add(() -> open.add(queue.destroy()));
            allEnd(acts, world, new Random(seed));
            world.await(here.context().closeAsync());
            world.await(there.context().closeAsync());
            world.await(a.process("app").exit());
            assertThat(world.await(a.process("next").startWaiter()).state()).isEqualTo(Waiter.State.RUNNING);
        }
    }

    // rule xrc-domain-restart
    @ParameterizedTest
    @MethodSource("seeds")
    void anXrcDomainOpenedDuringARestartIsNotFoundAfterIt(long seed) {
        try (World world = World.of(seed)) {
            Adapter a = world.adapter("a");
            DeviceContext before = a.process("app").open();
            XrcDomainDescription file = XrcDomainDescription.of("/run/shared");
            CompletionStage<Void> restarted = a.firmware().restart(Restart.POWER_CYCLE);
            world.runFor(Duration.ofNanos(seed % 3));
            refusedAtMost(() -> open.add(before.openXrcDomain(file)));
            world.await(restarted);
            XrcDomainDescription fresh = file.withCreation(XrcDomainDescription.Creation.ALWAYS);
            assertThat(world.await(a.process("next").open().openXrcDomain(fresh))
                            .number())
                    .isPositive();
            world.await(before.closeAsync());
        }
    }

    /** Runs the acts in random order, occasionally with a pause between two. */
    private void allEnd(List<Runnable> acts, World world, Random order) {
        Collections.shuffle(acts, order);
        for (Runnable act : acts) {
            refusedAtMost(act);
            if (order.nextInt(4) == 0) {
                world.runFor(Duration.ofNanos(order.nextInt(4000)));
            }
        }
        world.runToQuiet(Duration.ofMinutes(1));
        assertThat(open).allSatisfy(RestartRaceTest::isOver);
    }

    // rules firmware-restart, xrc-domain-restart
    @ParameterizedTest
    @MethodSource("seeds")
    void everyStageOverXrcEnds(long seed) {
        try (World world = World.of(seed)) {
            Adapter a = world.adapter("a");
            Adapter b = world.adapter("b");
            XrcDomainDescription file = XrcDomainDescription.of("/run/shared");
            Side here = Side.of(world.network(), a, "app", 4096);
            Side there = Side.of(world.network(), b, "app", 4096);
            XrcDomain domain = world.await(there.context().openXrcDomain(file));
            XrcTarget target = world.await(domain.createTarget());
            XrcQueuePair initiator = world.await(here.domain().createQp(QpDescription.xrc()));
            world.await(target.connect(initiator.gid(), initiator.number(), RcConnection.DEFAULT));
            world.await(initiator.connect(target.gid(), target.number(), RcConnection.DEFAULT));
            CompletionQueue arrivals = world.await(there.context().createCq(63));
            SharedReceiveQueue queue =
                    world.await(there.domain().createSrq(SrqDescription.DEFAULT.withXrc(domain, arrivals)));
            List<Runnable> acts = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                long id = i;
                acts.add(() -> queue.postReceive(Receive.of(id, there.slice(64 * id, 64))));
                acts.add(() -> open.add(initiator.submit(queue.number(), Send.of(id, here.slice(0, 64)))));
            }
            acts.add(() -> open.add(domain.openTarget(target.number())));
            acts.add(() -> open.add(domain.createTarget()));
            acts.add(() -> open.add(there.context().openXrcDomain(file)));
            acts.add(() -> open.add(b.process("other").open().openXrcDomain(file)));
            acts.add(() -> open.add(b.firmware().restart(Restart.POWER_CYCLE)));
            acts.add(() -> open.add(b.firmware().restart(Restart.FIRMWARE_RESET)));
            acts.add(() -> open.add(a.firmware().restart(Restart.WARM_REBOOT)));
            acts.add(() -> open.add(target.destroy()));
            acts.add(() -> open.add(queue.destroy()));
            acts.add(() -> open.add(domain.closeAsync()));
            allEnd(acts, world, new Random(seed));
            world.await(here.context().closeAsync());
            world.await(there.context().closeAsync());
            world.await(b.process("other").exit());
            DeviceContext next = b.process("next").open();
            XrcDomain anew = world.await(next.openXrcDomain(file.withCreation(XrcDomainDescription.Creation.ALWAYS)));
            assertThat(world.await(world.await(anew.createTarget()).query()).state())
                    .isEqualTo(QpState.RESET);
        }
    }

    /** Creates objects on the adapter before or after the restart. */
    private void makesAnew(Adapter adapter, Waiter thread) {
        DeviceContext context = adapter.process("app").open();
        open.add(context.createCq(CqDescription.of(15).withWaiter(thread)));
        open.add(context.allocatePd().createQp(QpDescription.rc()));
    }

    private Runnable post(int i, RcQueuePair from, Side here, Side there) {
        return () -> open.add(from.submit(
                i % 2 == 0
                        ? FetchAdd.of(i, here.slice(8 * i, 8), there.remote(0), 1)
                        : MaskedFetchAdd.of(i, here.slice(8 * i, 4), there.remote(0), AtomicValue.ofInt(1))));
    }

    /** Runs an act that a closed object may refuse, without other effects. */
    private static void refusedAtMost(Runnable act) {
        try {
            act.run();
        } catch (VerbsException closed) {
            assertThat(closed.getMessage()).containsAnyOf("closed", "started anew", "has ended", "is in error");
        }
    }

    private static void isOver(CompletionStage<?> stage) {
        assertThat(stage.toCompletableFuture()).isDone();
        try {
            stage.toCompletableFuture().getNow(null);
        } catch (CompletionException refused) {
            assertThat(refused).hasCauseInstanceOf(VerbsException.class);
        }
    }
}
