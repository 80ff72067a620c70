// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.paging;

import java.time.Duration;
import org.hcaactors.adapter.host.PageCounts;
import org.hcaactors.api.device.PageLatency;

// rule paging-latency
/** Time that a host takes for a fault or a prefetch, by the state of its pages when it begins. */
final class ServiceTime {
    /** Maximum of one part of that time in nanoseconds, so that the sum does not overflow. */
    private static final long LONGEST = Long.MAX_VALUE / 8;

    private ServiceTime() {}

    /** Returns the time in nanoseconds. */
    static long of(PagingJob job, PageLatency latency) {
        PageCounts pages = job.range().space().countPages(job.from(), job.count());
        boolean only =
                job instanceof PagingJob.PrefetchPart ahead && ahead.whole().isResidentOnly();
        long mapped = only ? pages.resident() : pages.pages();
        long each = times(mapped >> job.range().order() - PageMap.PAGE_SHIFT, latency.page());
        long fetching =
                only ? 0 : times(pages.untouched(), latency.untouched()) + times(pages.evicted(), latency.readBack());
        return latency.fault().toNanos() + each + fetching;
    }

    private static long times(long pages, Duration each) {
        return each.isZero() ? 0 : Math.min(pages, LONGEST / each.toNanos()) * each.toNanos();
    }
}
