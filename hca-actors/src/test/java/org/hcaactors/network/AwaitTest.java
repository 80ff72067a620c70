// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.hcaactors.api.error.AwaitTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Timeouts of waiting, and the backlog of a watch. */
class AwaitTest {
    @Test
    void aWaitOfUnlimitedTimeReturnsTheValue() {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            CompletableFuture<String> later =
                    new CompletableFuture<String>().completeOnTimeout("done", 10, MILLISECONDS);
            assertThat(network.await(later, Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo("done");
        }
    }

    @Test
    void aWaitOfNegativeTimeTimesOut() {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            assertThatThrownBy(() -> network.await(new CompletableFuture<>(), Duration.ofSeconds(Long.MIN_VALUE)))
                    .isInstanceOf(AwaitTimeoutException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void aWatchWithoutABacklogIsRefused(int backlog) {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            assertThatThrownBy(() -> network.watch(backlog))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the backlog of watch() is " + backlog + "; at least 1 is allowed");
        }
    }
}
