// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.paging;

import java.util.concurrent.atomic.AtomicLong;
import org.hcaactors.api.memory.PagingStatistics;

// rule paging-statistics
/** Statistics of one range's pages, written by the pager and read from any thread. */
final class RangeStats {
    private final AtomicLong faults = new AtomicLong();
    private final AtomicLong invalidations = new AtomicLong();
    private final AtomicLong prefetches = new AtomicLong();

    void mapped(PagingJob job, long pages) {
        switch (job) {
            case PagingJob.Fault fault -> faults.addAndGet(pages);
            case PagingJob.PrefetchPart ahead -> prefetches.addAndGet(pages);
        }
    }

    void invalidated(long pages) {
        invalidations.addAndGet(pages);
    }

    PagingStatistics read() {
        return new PagingStatistics(faults.get(), invalidations.get(), prefetches.get());
    }
}
