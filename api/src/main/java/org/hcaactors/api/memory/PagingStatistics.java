// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.util.SortedMap;
import java.util.TreeMap;

// rule paging-statistics
/**
 * Paging statistics of one on-demand region since it was registered or its translation last changed, in pages. All 0 for a
 * pinned region, and if the adapter reads the host's page tables. Immutable.
 *
 * @param pageFaults pages that faults fetched and the adapter did not have
 * @param pageInvalidations pages that the adapter lost to invalidations by the host
 * @param pagePrefetches pages that prefetches fetched and the adapter did not have
 */
public record PagingStatistics(long pageFaults, long pageInvalidations, long pagePrefetches) {
    public static final PagingStatistics NONE = new PagingStatistics(0, 0, 0);

    /** Returns the values under the names of {@code rdma statistic}. */
    public SortedMap<String, Long> byName() {
        SortedMap<String, Long> all = new TreeMap<>();
        all.put("page_faults", pageFaults);
        all.put("page_invalidations", pageInvalidations);
        all.put("page_prefetch", pagePrefetches);
        return all;
    }
}
