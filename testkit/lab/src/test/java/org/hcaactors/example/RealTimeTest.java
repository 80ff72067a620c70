// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.Pace;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldLeakException;
import org.hcaactors.lab.world.WorldOptions;
import org.hcaactors.lab.world.WorldStalledException;
import org.junit.jupiter.api.Test;

/** Deadlines in a world: those of its network count virtual time, and those of the JDK are reported with their line. */
class RealTimeTest {
    private static final String INSTEAD = "network.after(duration)";

    @Test
    void aDeadlineOfTheNetworkCountsVirtualTime() {
        try (World world = World.of(1)) {
            CompletableFuture<Long> at = world.network()
                    .after(Duration.ofHours(1))
                    .thenApply(done -> world.now())
                    .toCompletableFuture();
            assertThat(world.await(at, Duration.ofHours(2)))
                    .isEqualTo(Duration.ofHours(1).toNanos());
        }
    }

    @Test
    void aDeadlineIsAScheduledStepOfTheProgram() {
        try (World world = World.of(WorldOptions.ofProgram(7, new Pace(1_000_000)))) {
            long late = 0;
            for (int i = 0; i < 50; i++) {
                long before = world.now();
                world.await(world.network().after(Duration.ofNanos(10)));
                late = Math.max(late, world.now() - before - 10);
            }
            assertThat(late).as("a pause is drawn before it").isPositive();
        }
    }

    @Test
    void aCancelledDeadlineLeavesTheWorldAtRest() {
        try (World world = World.of(1)) {
            world.network().after(Duration.ofDays(9)).toCompletableFuture().cancel(false);
            assertThat(world.runToQuiet(Duration.ofSeconds(1))).isTrue();
        }
    }

    @Test
    void closingAWorldCancelsItsDeadlines() {
        World world = World.of(1);
        CompletableFuture<Void> never =
                world.network().after(Duration.ofDays(9)).toCompletableFuture();
        world.close();
        assertThat(never).isCancelled();
    }

    @Test
    void anExpiredTimeoutOfTheJdkIsReportedAtTheAwaitingLine() throws Exception {
        try (World world = World.of(1)) {
            CompletableFuture<Object> late = new CompletableFuture<>().orTimeout(1, TimeUnit.MILLISECONDS);
            CountDownLatch ranOff = new CountDownLatch(1);
            late.whenComplete((done, timeout) -> ranOff.countDown());
            assertThat(ranOff.await(20, TimeUnit.SECONDS))
                    .as("the timer ran off")
                    .isTrue();
            assertThatThrownBy(() -> world.await(late))
                    .isInstanceOf(WorldStalledException.class)
                    .hasMessageContaining("(RealTimeTest.java:")
                    .hasMessageContaining(INSTEAD);
        }
    }

    @Test
    void aStallThatMayBeATimerOfTheJdkNamesTheAlternative() {
        try (World world = World.of(1)) {
            CompletableFuture<Object> never = new CompletableFuture<>().orTimeout(1, TimeUnit.HOURS);
            assertThatThrownBy(() -> world.await(never))
                    .isInstanceOf(WorldStalledException.class)
                    .hasMessageContaining(INSTEAD);
            never.cancel(false);
        }
    }

    @Test
    void aTimerOfTheJdkThatUsesAWorldIsReportedByItsLine() throws Exception {
        World world = World.of(1);
        ConnectedPair pair = world.connect(world.adapter("a"), world.adapter("b"));
        Executor later = CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS, Runnable::run);
        CountDownLatch posted = new CountDownLatch(1);
        later.execute(() -> {
            try {
                pair.a()
                        .qp()
                        .submit(RdmaWrite.of(1, pair.a().slice(0, 8), pair.b().remote(0)));
            } finally {
                posted.countDown();
            }
        });
        assertThat(posted.await(20, TimeUnit.SECONDS)).as("the timer posted").isTrue();
        assertThatThrownBy(() -> world.runFor(Duration.ofMillis(1)))
                .isInstanceOf(WorldLeakException.class)
                .hasMessageContaining("(RealTimeTest.java:")
                .hasMessageContaining(INSTEAD);
        assertThatThrownBy(world::close).isInstanceOf(WorldLeakException.class);
    }
}
