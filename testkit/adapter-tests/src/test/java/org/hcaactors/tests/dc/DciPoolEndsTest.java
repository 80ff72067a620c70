// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.dc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.firmware.Restart;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.client.pool.DciPoolDescription;
import org.hcaactors.lab.fault.CrashTarget;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pool under all faults: each request that it accepted is answered, and it closes. */
@Tag("judge")
class DciPoolEndsTest {
    private static final int TARGETS = 3;
    private static final int REQUESTS = 200;

    private static void allEnd(String policy, Consumer<PoolSetup> disaster) {
        try (World world = World.of(31)) {
            PoolSetup pool = new PoolSetup(world, TARGETS, 2, Objects.requireNonNull(PoolSetup.POLICIES.get(policy)));
            List<PoolSetup.Asking> asked = pool.askAll(
                    IntStream.range(0, REQUESTS).mapToObj(i -> i % TARGETS).toList());
            world.runFor(Duration.ofNanos(5_000));
            assertThat(asked).as("some wait").anyMatch(each -> !each.answer().isDone());
            disaster.accept(pool);
            world.runFor(Duration.ofSeconds(3));
            assertThat(asked).allMatch(each -> each.answer().isDone());
            PoolSetup.Asking late = pool.ask(0);
            world.runFor(Duration.ofSeconds(3));
            assertThat(late.answer()).isDone();
            assertThat(pool.pool.closeAsync().toCompletableFuture()).satisfies(closed -> {
                world.runFor(Duration.ofSeconds(1));
                assertThat(closed).isDone();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hashed", "exclusive", "hybrid", "streams"})
    void requestsEndWhenTheirContextCloses(String policy) {
        allEnd(policy, on -> on.here.context.closeAsync());
    }

    @ParameterizedTest
    @ValueSource(strings = {"hashed", "exclusive", "hybrid", "streams"})
    void requestsEndWhenTheirProcessExits(String policy) {
        allEnd(policy, on -> on.here.context.process().exit());
    }

    @ParameterizedTest
    @ValueSource(strings = {"hashed", "exclusive", "hybrid", "streams"})
    void requestsEndWhenTheirAdapterRestarts(String policy) {
        allEnd(policy, on -> on.here.context.adapter().firmware().restart(Restart.POWER_CYCLE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"hashed", "exclusive", "hybrid", "streams"})
    void requestsEndWhenTheirCompletionQueueFails(String policy) {
        allEnd(policy, on -> on.ground.world.faults().now().crash(new CrashTarget.CompletionQueueOf("asker", 1)));
    }

    @Test
    void aPoolWithoutATimeoutIsRefused() {
        assertThat(DciPoolDescription.DEFAULT.attributes().timeoutCode()).isPositive();
        assertThatThrownBy(() -> DciPoolDescription.DEFAULT.withAttributes(RcConnection.DEFAULT.withTimeoutCode(0)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("timeout code is 0")
                .hasMessageContaining("1 to 31");
    }
}
