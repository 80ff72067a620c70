// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

// rule paging-latency
/**
 * Latencies of a host's page handling. Immutable: {@code with} methods return changed copies of {@link #DEFAULT} or {@link
 * #NONE}; IllegalArgumentException for a time below 0 or above one hour.
 */
public final class PageLatency {
    private static final Duration MAX = Duration.ofHours(1);

    /** Close to published values of real adapters and their driver; read-back from a fast disk. */
    public static final PageLatency DEFAULT = new PageLatency(
            Duration.ofNanos(200_000),
            Duration.ofNanos(125),
            Duration.ofNanos(500),
            Duration.ofNanos(80_000),
            Duration.ofNanos(60_000));

    /** Page handling takes no time. */
    public static final PageLatency NONE =
            new PageLatency(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    private final Duration fault;
    private final Duration page;
    private final Duration untouched;
    private final Duration readBack;
    private final Duration invalidation;

    private PageLatency(Duration fault, Duration page, Duration untouched, Duration readBack, Duration invalidation) {
        this.fault = checked("fault", fault);
        this.page = checked("page", page);
        this.untouched = checked("untouched", untouched);
        this.readBack = checked("readBack", readBack);
        this.invalidation = checked("invalidation", invalidation);
    }

    private static Duration checked(String what, Duration takes) {
        if (takes.isNegative() || takes.compareTo(MAX) > 0) {
            throw new IllegalArgumentException("the time of " + what + " is " + takes + "; 0 to one hour is allowed");
        }
        return takes;
    }

    /** Per fault or prefetch, for any number of pages. */
    public Duration fault() {
        return fault;
    }

    /** Added for each page. */
    public Duration page() {
        return page;
    }

    /** Added for each page that was never touched before. */
    public Duration untouched() {
        return untouched;
    }

    /** Added for each page that was evicted. */
    public Duration readBack() {
        return readBack;
    }

    /** From the moment when an adapter loses access to pages until they can be fetched again. */
    public Duration invalidation() {
        return invalidation;
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

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PageLatency same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "PageLatency" + values();
    }

    private List<Object> values() {
        return List.of(fault, page, untouched, readBack, invalidation);
    }
}
