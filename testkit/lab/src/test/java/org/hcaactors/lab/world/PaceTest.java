// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.junit.jupiter.api.Test;

class PaceTest {
    private static final int SEEDS = 60;

    /** Returns the function's result for the world of each seed. */
    private static <T> List<T> ofSeeds(Pace pace, Function<World, T> function) {
        return LongStream.range(0, SEEDS)
                .mapToObj(seed -> {
                    try (World world = World.of(WorldOptions.ofProgram(seed, pace))) {
                        return function.apply(world);
                    }
                })
                .toList();
    }

    private static long queuesMade(World world) {
        DeviceContext context = app(world).open();
        for (int i = 0; i < 4; i++) {
            world.await(context.createCq(16));
        }
        return world.now();
    }

    private static HostProcess app(World world) {
        return world.adapter("a").process("app");
    }

    private static List<Integer> order(World world, Executor threads) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int task = i;
            threads.execute(() -> order.add(task));
        }
        world.runFor(Duration.ofNanos(4 * Pace.DRAWN.longestPauseNanos()));
        return order;
    }

    @Test
    void repliesOfVerbsAreDelayed() {
        assertThat(ofSeeds(Pace.INSTANT, PaceTest::queuesMade)).containsOnly(0L);
        assertThat(ofSeeds(Pace.DRAWN, PaceTest::queuesMade))
                .anyMatch(nanos -> nanos == 0)
                .anyMatch(nanos -> nanos > 0 && nanos < 100)
                .anyMatch(nanos -> nanos > 2_500)
                .allMatch(nanos -> nanos <= 4 * Pace.DRAWN.longestPauseNanos());
    }

    @Test
    void equalSeedsGiveEqualPauses() {
        assertThat(ofSeeds(Pace.DRAWN, PaceTest::queuesMade)).isEqualTo(ofSeeds(Pace.DRAWN, PaceTest::queuesMade));
    }

    @Test
    void tasksOfSeveralThreadsMayOvertakeEachOther() {
        assertThat(ofSeeds(Pace.DRAWN, world -> order(world, world.executor(app(world)))))
                .allSatisfy(order -> assertThat(order).containsExactlyInAnyOrder(0, 1, 2, 3))
                .contains(List.of(0, 1, 2, 3))
                .anyMatch(order -> order.getLast() == 0);
    }

    @Test
    void tasksOfOneThreadKeepTheirOrder() {
        assertThat(ofSeeds(Pace.DRAWN, world -> order(world, world.executor(app(world), 1))))
                .containsOnly(List.of(0, 1, 2, 3));
    }

    @Test
    void aThreadContinuesAfterATaskThatThrew() {
        try (World world = World.of(1)) {
            ScheduledExecutorService thread = world.executor(app(world), 1);
            CompletableFuture<Void> failed = CompletableFuture.runAsync(
                    () -> {
                        throw new IllegalArgumentException("no such key");
                    },
                    thread);
            CompletableFuture<String> next = CompletableFuture.supplyAsync(() -> "next", thread);
            assertThat(world.await(next)).isEqualTo("next");
            assertThat(failed).isCompletedExceptionally();
        }
    }

    @Test
    void aTimerIsDueInVirtualTime() {
        try (World world = World.of(1)) {
            ScheduledExecutorService threads = world.executor(app(world));
            List<Instant> rate = new ArrayList<>();
            List<Instant> late = new ArrayList<>();
            ScheduledFuture<?> ticks =
                    threads.scheduleAtFixedRate(() -> rate.add(world.clock().instant()), 1, 2, TimeUnit.HOURS);
            ScheduledFuture<String> once = threads.schedule(() -> "due", 90, TimeUnit.MINUTES);
            ScheduledFuture<?> never = threads.schedule(() -> late.add(Instant.MIN), 1, TimeUnit.HOURS);
            assertThat(once.getDelay(TimeUnit.MINUTES)).isEqualTo(90);
            assertThat(never.cancel(false)).isTrue();
            world.runFor(Duration.ofHours(6));
            assertThat(once.resultNow()).isEqualTo("due");
            assertThat(rate)
                    .containsExactly(
                            Instant.EPOCH.plus(Duration.ofHours(1)),
                            Instant.EPOCH.plus(Duration.ofHours(3)),
                            Instant.EPOCH.plus(Duration.ofHours(5)));
            assertThat(late).isEmpty();
            assertThat(ticks.cancel(false)).isTrue();
            assertThat(world.runToQuiet(Duration.ofHours(6))).isTrue();
        }
    }

    @Test
    void aKilledProcessRunsNoTask() {
        try (World world = World.of(1)) {
            HostProcess app = app(world);
            ScheduledExecutorService threads = world.executor(app);
            List<String> ran = new ArrayList<>();
            threads.execute(() -> ran.add("before"));
            threads.schedule(() -> ran.add("after"), 1, TimeUnit.SECONDS);
            world.settle();
            assertThat(app.isAlive()).isTrue();
            world.await(app.exit());
            assertThat(app.isAlive()).isFalse();
            world.runFor(Duration.ofSeconds(2));
            assertThat(ran).containsExactly("before");
        }
    }

    @Test
    void threadsThatWereShutDownRejectTasks() {
        try (World world = World.of(1)) {
            ScheduledExecutorService threads = world.executor(app(world));
            threads.shutdown();
            assertThat(threads.isTerminated()).isTrue();
            assertThatThrownBy(() -> threads.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
            assertThatThrownBy(() -> threads.schedule(() -> {}, 1, TimeUnit.SECONDS))
                    .isInstanceOf(RejectedExecutionException.class);
        }
    }

    @Test
    void aTaskFromAForeignThreadIsRefusedAndReported() {
        try (World world = World.of(1)) {
            ScheduledExecutorService threads = world.executor(app(world));
            CompletableFuture<Void> foreign = CompletableFuture.runAsync(() -> threads.execute(() -> {}));
            assertThat(foreign)
                    .failsWithin(Duration.ofSeconds(10))
                    .withThrowableThat()
                    .withMessageContaining("this world runs on one thread only");
            assertThatThrownBy(world::settle)
                    .isInstanceOf(WorldLeakException.class)
                    .hasMessageContaining("from foreign thread");
        } catch (WorldLeakException toldAgain) {
            assertThat(toldAgain).hasMessageContaining("from foreign thread");
        }
    }

    @Test
    void invalidPausesAndThreadCountsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Pace(-1))
                .withMessage("the pause is -1 ns; 0 to 1000000000 ns are allowed");
        try (World world = World.of(1)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> world.executor(app(world), 0))
                    .withMessage("0 threads requested; 1 to 32768 are allowed");
        }
    }
}
