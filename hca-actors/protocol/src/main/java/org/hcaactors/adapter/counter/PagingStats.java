// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.counter;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.hcaactors.api.device.FaultLatencies;
import org.hcaactors.api.device.PagingCounters;
import org.hcaactors.mutation.MutationPoint;

/** Page counters of one adapter, written by its pager and read from any thread. */
public final class PagingStats {
    private final AtomicLongArray values = new AtomicLongArray(PagingCounter.values().length);
    private final AtomicLongArray latencies = new AtomicLongArray(FaultLatencies.CLASSES);

    /** @param by negative for a decrease */
    @MutationPoint("paging-stats.add")
    public void add(PagingCounter counter, long by) {
        values.getAndAdd(counter.ordinal(), by);
    }

    // rule paging-histogram
    /** Records the time that a fault took to be answered. */
    public void faultServed(long nanos) {
        latencies.getAndIncrement(FaultLatencies.classOf(Duration.ofNanos(nanos)));
    }

    public FaultLatencies latencies() {
        return new FaultLatencies(
                IntStream.range(0, latencies.length()).mapToObj(latencies::get).toList());
    }

    public void clearLatencies() {
        for (int i = 0; i < latencies.length(); i++) {
            latencies.set(i, 0);
        }
    }

    private long value(PagingCounter counter) {
        return values.get(counter.ordinal());
    }

    public PagingCounters read() {
        return PagingCounters.ZERO
                .withPageFaults(value(PagingCounter.PAGE_FAULTS))
                .withPageFaultPages(value(PagingCounter.PAGE_FAULT_PAGES))
                .withInvalidations(value(PagingCounter.INVALIDATIONS))
                .withInvalidationPages(value(PagingCounter.INVALIDATION_PAGES))
                .withContentions(value(PagingCounter.CONTENTIONS))
                .withPrefetches(value(PagingCounter.PREFETCHES))
                .withPrefetchPages(value(PagingCounter.PREFETCH_PAGES))
                .withRegions(value(PagingCounter.REGIONS))
                .withRegionPages(value(PagingCounter.REGION_PAGES))
                .withRegionsNotFound(value(PagingCounter.REGIONS_NOT_FOUND))
                .withFailedResolutions(value(PagingCounter.FAILED))
                .withInvalidationTimeouts(value(PagingCounter.TIMEOUTS))
                .withPrefetchesUnderWay(value(PagingCounter.PREFETCHING));
    }
}
