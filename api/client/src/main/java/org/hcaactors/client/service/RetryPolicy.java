// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.time.Duration;

/**
 * Waiting times of a client before it connects again: the first one after a failure, doubled after each further one up to the last. A
 * connection that ends without an answer is a failure, too; an answer begins with the first one again.
 *
 * <p>Immutable.
 *
 * @param first more than 0
 * @param last at least the first, at most 24 days
 */
public record RetryPolicy(Duration first, Duration last) {
    /** Maximum time of a timer; set before the default policy, which is checked. */
    private static final Duration LONGEST = Duration.ofDays(24);

    /** 10 ms, doubled up to 1 s. */
    public static final RetryPolicy DEFAULT = new RetryPolicy(Duration.ofMillis(10), Duration.ofSeconds(1));

    public RetryPolicy {
        if (first.isNegative() || first.isZero() || last.compareTo(first) < 0 || last.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("waits from " + first + " to " + last
                    + "; more than 0, not less at the end, and at most 24 days are required");
        }
    }

    Duration after(Duration wait) {
        Duration twice = wait.multipliedBy(2);
        return twice.compareTo(last) < 0 ? twice : last;
    }
}
