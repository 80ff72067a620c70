// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Maximum time from the first packet of a connection's oldest request to the completion with an error, by {@link
 * RcConnection#worstCase}. Each progress of the request starts the time again: a packet that the peer acknowledges, or a part of
 * a READ that arrives. On an adapter on which seven retries are unlimited (the profile's {@code RETRY_SEVEN_IS_FOREVER}) a request
 * with seven retries has no maximum.
 *
 * <p>Immutable.
 *
 * @param unanswered if the peer does not answer: RETRY_EXC_ERR; empty if that never ends
 * @param notReady if the peer answers each time that it has posted no receive, without loss: RNR_RETRY_EXC_ERR; empty if that
 *     never ends. It excludes the time of packets on their way, and holds if the peer's RNR timer is that of these attributes
 */
public record WorstCase(Optional<Duration> unanswered, Optional<Duration> notReady) {
    /** Number of RNR retries that means unlimited (rule rc-rnr-count). */
    private static final int UNLIMITED = 7;

    // rules rc-timeout, rc-retry-count, rc-rnr-wait, rc-rnr-count
    static WorstCase of(RcConnection attributes) {
        Optional<Duration> unanswered = TimerCodes.timeoutOf(attributes.timeoutCode())
                .map(timeout -> timeout.multipliedBy(attributes.retryCount() + 1L));
        Optional<Duration> notReady = attributes.rnrRetry() == UNLIMITED
                ? Optional.empty()
                : Optional.of(
                        TimerCodes.minRnrTimerOf(attributes.minRnrTimerCode()).multipliedBy(attributes.rnrRetry()));
        return new WorstCase(unanswered, notReady);
    }

    /** Returns what never ends, as sentences; empty if both times are limited. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (unanswered.isEmpty()) {
            warnings.add("timeout code 0 is infinite: a request without an answer never completes");
        }
        if (notReady.isEmpty()) {
            warnings.add(
                    "an RNR retry count of 7 is unlimited: a request waits for as long as its peer posts no receive");
        }
        return List.copyOf(warnings);
    }
}
