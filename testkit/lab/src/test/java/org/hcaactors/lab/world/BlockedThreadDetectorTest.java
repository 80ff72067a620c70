// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.ConnectedPair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A program that blocks the thread of a world gets the line, and does not wait forever. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BlockedThreadDetectorTest {
    private static final Duration SOON = Duration.ofMillis(20);

    private static CompletableFuture<?> submitted(World world) {
        ConnectedPair pair = world.connect(world.adapter("a"), world.adapter("b"));
        return pair.a()
                .qp()
                .submit(RdmaWrite.of(1, pair.a().slice(0, 8), pair.b().remote(0)))
                .toCompletableFuture();
    }

    private static void assertStopped(World world) {
        Thread.interrupted(); // it may have been about to be interrupted
        assertThatThrownBy(() -> world.runFor(Duration.ZERO))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("seed 1: thread ")
                .hasMessageContaining(" waits at org.hcaactors.lab.world.BlockedThreadDetectorTest.")
                .hasMessageContaining("(BlockedThreadDetectorTest.java:")
                .hasMessageContaining("world.await(stage)");
        assertThatThrownBy(world::close).hasMessageContaining("BlockedThreadDetectorTest.java");
    }

    @Test
    void aJoinOnTheWorldsThreadIsInterruptedAndItsLineNamed() {
        World world = World.of(1);
        BlockedThreadDetector.keep(world, SOON);
        CompletableFuture<?> stage = submitted(world);
        try {
            stage.orTimeout(60, TimeUnit.SECONDS).join();
        } catch (RuntimeException cutOff) {
            assertThat(cutOff).isNotNull();
        }
        assertStopped(world);
    }

    @Test
    void aJoinOnStagesDependingOnTheWorldIsInterruptedToo() {
        World world = World.of(1);
        BlockedThreadDetector.keep(world, SOON);
        CompletableFuture<?> all =
                CompletableFuture.allOf(submitted(world), new CompletableFuture<>().orTimeout(1, TimeUnit.HOURS));
        CompletableFuture<?> either = CompletableFuture.anyOf(submitted(world), all);
        try {
            either.orTimeout(60, TimeUnit.SECONDS).join();
        } catch (RuntimeException cutOff) {
            assertThat(cutOff).isNotNull();
        }
        assertStopped(world);
    }

    @Test
    void aWaitForALatchIsInterrupted() {
        World world = World.of(1);
        BlockedThreadDetector.keep(world, SOON);
        submitted(world);
        assertThatThrownBy(() -> new CountDownLatch(1).await()).isInstanceOf(InterruptedException.class);
        assertStopped(world);
    }

    @Test
    void aWaitForAnotherThreadInAnIdleWorldIsNotInterrupted() throws Exception {
        try (World world = World.of(1)) {
            world.settle();
            BlockedThreadDetector.keep(world, Duration.ofMillis(1));
            CompletableFuture<String> elsewhere = new CompletableFuture<>();
            Thread other = new Thread(() -> {
                for (int looks = 0; looks < 50; looks++) {
                    sleep(2);
                }
                elsewhere.complete("done");
            });
            other.start();
            assertThat(elsewhere.orTimeout(60, TimeUnit.SECONDS).join()).isEqualTo("done");
            assertThat(other.join(Duration.ofSeconds(20)))
                    .as("the other thread ended")
                    .isTrue();
            assertThat(world.core().hasWork()).isFalse();
        }
    }

    private static void sleep(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
