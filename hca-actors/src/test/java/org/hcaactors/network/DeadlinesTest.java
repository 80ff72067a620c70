// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Deadlines on the clock of a network, here the real one. */
class DeadlinesTest {
    @Test
    void aDeadlineCompletesAfterItsTimeOnTheCallerDispatcher() throws Exception {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            long before = System.nanoTime();
            CompletableFuture<String> thread = network.after(Duration.ofMillis(20))
                    .thenApply(done -> Thread.currentThread().getName())
                    .toCompletableFuture();
            assertThat(thread.get(1, TimeUnit.MINUTES)).contains("hca.caller-dispatcher");
            assertThat(System.nanoTime() - before)
                    .isGreaterThanOrEqualTo(Duration.ofMillis(19).toNanos());
        }
    }

    @Test
    void aDeadlineIsCancelledWhenItsNetworkIsClosed() {
        RdmaNetwork network = RdmaNetwork.start();
        CompletableFuture<Void> never = network.after(Duration.ofDays(24)).toCompletableFuture();
        network.close();
        assertThat(never).failsWithin(Duration.ofMinutes(1));
        assertThat(never).isCancelled();
        assertThatIllegalStateException()
                .isThrownBy(() -> network.after(Duration.ZERO))
                .withMessage("this network is closed");
    }

    @Test
    void aTimeOutOfRangeIsRefused() {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> network.after(Duration.ofNanos(-1)))
                    .withMessage("the time of after() is PT-0.000000001S; 0 to PT576H is allowed");
            assertThatIllegalArgumentException().isThrownBy(() -> network.after(Duration.ofDays(25)));
        }
    }
}
