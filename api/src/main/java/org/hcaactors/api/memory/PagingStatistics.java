// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.util.SortedMap;
import java.util.TreeMap;

// rule paging-statistics
/**
 * What has become of the pages of one region on demand since it shows what it shows, in pages. Nothing for a pinned region, and
 * where the adapter reads the host's own tables. Immutable.
 *
 * @param pageFaults pages that faults brought and the adapter did not have
 * @param pageInvalidations pages that the adapter had and lost to the host
 * @param pagePrefetches pages that prefetches brought and the adapter did not have
 */
public record PagingStatistics(long pageFaults, long pageInvalidations, long pagePrefetches) {
    public static final PagingStatistics NONE = new PagingStatistics(0, 0, 0);

    /** As {@code rdma statistic} names them. */
    public SortedMap<String, Long> named() {
        SortedMap<String, Long> all = new TreeMap<>();
        all.put("page_faults", pageFaults);
        all.put("page_invalidations", pageInvalidations);
        all.put("page_prefetch", pagePrefetches);
        return all;
    }
}
