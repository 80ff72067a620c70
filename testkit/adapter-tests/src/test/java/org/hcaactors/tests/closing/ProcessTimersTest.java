// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.lab.world.World;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Timers that belong to a process. */
class ProcessTimersTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final World world = World.of(7);
    private final HostProcess process = world.adapter("left").process("app");

    @AfterEach
    void close() {
        world.close();
    }

    private CompletableFuture<Void> timer() {
        return process.after(SECOND).toCompletableFuture();
    }

    @Test
    void aTimerCompletesWhenItsTimeHasPassed() {
        long before = process.nanoTime();
        CompletableFuture<Void> timer = timer();
        world.runFor(SECOND.minusNanos(1));
        assertThat(timer).isNotDone();
        world.runFor(Duration.ofNanos(1));

        assertThat(timer).isCompleted();
        assertThat(process.nanoTime() - before).isEqualTo(SECOND.toNanos());
    }

    @Test
    void aKilledProcessHasNoTimers() {
        CompletableFuture<Void> timer = timer();
        world.await(process.kill());
        world.settle();

        assertThat(timer).isCancelled();
        assertThat(timer()).isCancelled();
    }

    @Test
    void theTimersOfOtherProcessesGoOn() {
        CompletableFuture<Void> other =
                world.adapter("left").process("other").after(SECOND).toCompletableFuture();
        CompletableFuture<Void> next = world.await(process.exit()
                .thenApply(report ->
                        world.adapter("left").process("app").after(SECOND).toCompletableFuture()));
        world.runFor(SECOND);

        assertThat(other).isCompleted();
        assertThat(next).isCompleted();
    }

    @Test
    void aTimerThatIsCancelledKeepsNothingBusy() {
        process.after(Duration.ofDays(24)).toCompletableFuture().cancel(false);

        assertThat(world.runToQuiet(SECOND)).isTrue();
    }

    @Test
    void aTimerOfAKilledProcessKeepsNothingBusy() {
        process.after(Duration.ofDays(24));
        world.await(process.kill());

        assertThat(world.runToQuiet(SECOND)).isTrue();
    }

    @Test
    void aPausedHostIsLate() {
        CompletableFuture<Void> timer = timer();
        CompletableFuture<Void> ofNetwork = world.network().after(SECOND).toCompletableFuture();
        world.faults().now().pause(world.adapter("left"), SECOND.multipliedBy(2));
        world.runFor(SECOND);
        assertThat(ofNetwork).isCompleted();
        assertThat(timer).isNotDone();
        world.runFor(SECOND);

        assertThat(timer).isCompleted();
    }

    @Test
    void aTimeOutsideTheLimitsIsRefused() {
        assertThatThrownBy(() -> process.after(Duration.ofNanos(-1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> process.after(Duration.ofDays(25))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void timersRunAndEndOnRealThreads() {
        CompletableFuture<Void> left;
        try (RdmaNetwork network = RdmaNetwork.start()) {
            HostProcess real = network.addAdapter("real", Profile.CONNECTX_5).process("app");
            long before = real.nanoTime();
            network.await(real.after(Duration.ofMillis(20)));
            assertThat(real.nanoTime() - before)
                    .isGreaterThanOrEqualTo(Duration.ofMillis(10).toNanos());
            left = real.after(Duration.ofDays(1)).toCompletableFuture();
        }
        assertThat(left).failsWithin(SECOND);
    }
}
