// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.time.Duration;

/**
 * Waiting times of a client before it connects again: the first one after a failure, doubled after each further one up to the last.
 *
 * <p>Immutable.
 *
 * @param first more than 0
 * @param last at least the first
 */
public record RetryPolicy(Duration first, Duration last) {
    /** 10 ms, doubled up to 1 s. */
    public static final RetryPolicy DEFAULT = new RetryPolicy(Duration.ofMillis(10), Duration.ofSeconds(1));

    public RetryPolicy {
        if (first.isNegative() || first.isZero() || last.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "waits from " + first + " to " + last + "; more than 0, and not less at the end, is required");
        }
    }

    Duration after(Duration wait) {
        Duration twice = wait.multipliedBy(2);
        return twice.compareTo(last) < 0 ? twice : last;
    }
}
