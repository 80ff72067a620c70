// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What an adapter has counted of the pages of its regions on demand, since it was plugged in; and of what there is now, its
 * gauges. Each has its own event: none follows from another. Immutable.
 *
 * @param pageFaults that were answered and could be tried again, also where an invalidation kept their pages from coming; those
 *     that failed are not among them
 * @param pageFaultPages pages that faults brought and the adapter did not have
 * @param invalidations of any number of pages, once for each region
 * @param invalidationPages pages that the adapter had and lost to them
 * @param contentions faults and prefetches that ran into an invalidation
 * @param prefetches that were accepted
 * @param prefetchPages pages that prefetches brought and the adapter did not have
 * @param regions on demand that are there now; one of a whole address space counts once
 * @param regionPages pages that the adapter has of them now
 * @param regionsNotFound faults under keys that are gone
 * @param failedResolutions faults that could not be served
 * @param invalidationTimeouts faults and prefetches that waited for a second for an invalidation to end
 * @param prefetchesUnderWay now
 */
public record PagingCounters(
        long pageFaults,
        long pageFaultPages,
        long invalidations,
        long invalidationPages,
        long contentions,
        long prefetches,
        long prefetchPages,
        long regions,
        long regionPages,
        long regionsNotFound,
        long failedResolutions,
        long invalidationTimeouts,
        long prefetchesUnderWay) {

    /**
     * As the files of {@code /sys/class/infiniband_verbs/uverbsN/} have them, by name; {@code num_prefetches_handled} also under
     * the name that its documentation gives it.
     */
    public SortedMap<String, Long> standard() {
        SortedMap<String, Long> all = new TreeMap<>();
        all.put("num_page_faults", pageFaults);
        all.put("num_page_fault_pages", pageFaultPages);
        all.put("num_invalidations", invalidations);
        all.put("num_invalidation_pages", invalidationPages);
        all.put("invalidations_faults_contentions", contentions);
        all.put("num_prefetches_handled", prefetches);
        all.put("num_prefetchs_handled", prefetches);
        all.put("num_prefetch_pages", prefetchPages);
        return all;
    }

    /** As the files of {@code /sys/kernel/debug/mlx5/.../odp_stats/} have them, by name; {@code num_prefetch} begins at 1. */
    public SortedMap<String, Long> debug() {
        SortedMap<String, Long> all = new TreeMap<>();
        all.put("num_odp_mrs", regions);
        all.put("num_odp_mr_pages", regionPages);
        all.put("num_mrs_not_found", regionsNotFound);
        all.put("num_failed_resolutions", failedResolutions);
        all.put("num_timeout_mmu_notifier", invalidationTimeouts);
        all.put("num_prefetch", prefetchesUnderWay + 1);
        return all;
    }
}
