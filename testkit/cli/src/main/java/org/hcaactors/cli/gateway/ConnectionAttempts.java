// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.time.Duration;
import java.util.OptionalInt;
import org.hcaactors.api.connection.ConnectionException;

/**
 * Attempts to connect to a server that may not listen yet: the server of perftest listens once for its talk, and again for its queue
 * pairs, after the client may have asked for them.
 *
 * @param most attempts, at least 1
 * @param pause between two attempts
 */
record ConnectionAttempts(int most, Duration pause) {
    /** Those of perftest's own client. */
    static final ConnectionAttempts OF_PERFTEST = new ConnectionAttempts(10, Duration.ofMillis(100));

    /**
     * Attempts until it succeeds.
     *
     * @param refused called before each further attempt
     * @throws ConnectionException of the last attempt, or of the first one that is refused for another reason than that nothing listens
     */
    void make(Runnable attempt, Runnable refused) throws InterruptedException {
        for (int number = 1; number < most; number++) {
            try {
                attempt.run();
                return;
            } catch (ConnectionException failed) {
                if (!failed.reason().equals(OptionalInt.of(ConnectionException.INVALID_SERVICE_ID))) {
                    throw failed;
                }
            }
            Thread.sleep(pause);
            refused.run();
        }
        attempt.run();
    }
}
