// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.hcaactors.api.connection.ConnectionException;
import org.junit.jupiter.api.Test;

/** Attempts to connect to a server that does not listen yet. */
class ConnectionAttemptsTest {
    private final ConnectionAttempts attempts = new ConnectionAttempts(3, Duration.ZERO);
    private final List<String> made = new ArrayList<>();

    /** Refuses the first attempts. */
    private void attempt(int refusals, int reason) {
        made.add("attempt");
        if (made.stream().filter("attempt"::equals).count() <= refusals) {
            throw ConnectionException.rejected(reason, ByteBuffer.allocate(0), "refused");
        }
    }

    private void make(int refusals, int reason) throws InterruptedException {
        attempts.make(() -> attempt(refusals, reason), () -> made.add("refused"));
    }

    @Test
    void aServerThatListensLaterIsReached() throws InterruptedException {
        make(2, ConnectionException.INVALID_SERVICE_ID);
        assertThat(made).containsExactly("attempt", "refused", "attempt", "refused", "attempt");
    }

    @Test
    void theLastRefusalIsTold() {
        assertThatExceptionOfType(ConnectionException.class)
                .isThrownBy(() -> make(3, ConnectionException.INVALID_SERVICE_ID));
        assertThat(made).hasSize(5);
    }

    @Test
    void anotherRefusalIsToldAtOnce() {
        assertThatExceptionOfType(ConnectionException.class)
                .isThrownBy(() -> make(3, ConnectionException.CONSUMER_DEFINED));
        assertThat(made).containsExactly("attempt");
    }
}
