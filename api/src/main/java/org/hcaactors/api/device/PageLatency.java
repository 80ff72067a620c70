// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

import java.time.Duration;

// rule paging-latency
/**
 * Latencies of a host's page handling. Immutable. IllegalArgumentException for a time below 0 or above one hour.
 *
 * @param fault per fault or prefetch, for any number of pages
 * @param page added for each page
 * @param untouched added for each page that was never touched before
 * @param readBack added for each page that was evicted
 * @param invalidation from the moment when an adapter loses access to pages until they can be fetched again
 */
public record PageLatency(Duration fault, Duration page, Duration untouched, Duration readBack, Duration invalidation) {
    private static final Duration MAX = Duration.ofHours(1);

    /** Close to published values of real adapters and their driver; read-back from a fast disk. */
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
            throw new IllegalArgumentException(what + " takes " + takes + "; 0 to one hour is allowed");
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
