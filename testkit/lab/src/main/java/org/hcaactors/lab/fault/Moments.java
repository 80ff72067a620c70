// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.time.Duration;

/**
 * From when to when a fault is in force, on the world's clock.
 *
 * @param from the first moment
 * @param until the moment from which it is no more
 */
public record Moments(Duration from, Duration until) {
    /** More than any world lasts. */
    public static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);

    public static final Moments ALL = new Moments(Duration.ZERO, FOR_EVER);

    boolean include(long nanos) {
        return nanos >= from.toNanos() && nanos < until.toNanos();
    }

    String words() {
        if (equals(ALL)) {
            return "";
        }
        return " from " + from.toNanos() + " ns" + (until.equals(FOR_EVER) ? " on" : " to " + until.toNanos() + " ns");
    }
}
