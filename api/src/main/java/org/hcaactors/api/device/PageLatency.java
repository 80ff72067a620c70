// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

import java.time.Duration;

// rule paging-latency
/**
 * How long a host takes over pages. Immutable. IllegalArgumentException for less than nothing, or more than an hour.
 *
 * @param fault for any fault or prefetch, however many pages it is about
 * @param page for each page of it, besides
 * @param untouched for each page that nobody has touched before, besides
 * @param readBack for each page that was evicted, besides
 * @param invalidation from the moment at which an adapter can't touch pages any more to the moment at which they can come back
 */
public record PageLatency(Duration fault, Duration page, Duration untouched, Duration readBack, Duration invalidation) {
    private static final Duration MAX = Duration.ofHours(1);

    /** Near what is published for real adapters and their driver; reading back is from a fast disk. */
    public static final PageLatency DEFAULT = new PageLatency(
            Duration.ofNanos(200_000),
            Duration.ofNanos(125),
            Duration.ofNanos(500),
            Duration.ofNanos(80_000),
            Duration.ofNanos(60_000));

    public PageLatency {
        check("fault", fault);
        check("page", page);
        check("untouched", untouched);
        check("readBack", readBack);
        check("invalidation", invalidation);
    }

    private static void check(String what, Duration takes) {
        if (takes.isNegative() || takes.compareTo(MAX) > 0) {
            throw new IllegalArgumentException(what + " takes " + takes + "; nothing to one hour is allowed");
        }
    }

    public PageLatency withFault(Duration other) {
        return new PageLatency(other, page, untouched, readBack, invalidation);
    }

    public PageLatency withPage(Duration other) {
        return new PageLatency(fault, other, untouched, readBack, invalidation);
    }

    public PageLatency withUntouched(Duration other) {
        return new PageLatency(fault, page, other, readBack, invalidation);
    }

    public PageLatency withReadBack(Duration other) {
        return new PageLatency(fault, page, untouched, other, invalidation);
    }

    public PageLatency withInvalidation(Duration other) {
        return new PageLatency(fault, page, untouched, readBack, other);
    }
}
