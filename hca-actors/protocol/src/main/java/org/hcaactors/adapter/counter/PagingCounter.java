// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.counter;

// rules paging-counters, paging-gauges
/** What an adapter counts of pages; each has its own event. */
public enum PagingCounter {
    /** Faults that were answered and can be tried again. */
    PAGE_FAULTS,
    /** Pages that faults brought and the adapter did not have. */
    PAGE_FAULT_PAGES,
    INVALIDATIONS,
    /** Pages that the adapter had and had to give up. */
    INVALIDATION_PAGES,
    /** Faults and prefetches that ran into an invalidation. */
    CONTENTIONS,
    /** Calls of a prefetch that succeeded. */
    PREFETCHES,
    /** Pages that prefetches brought and the adapter did not have. */
    PREFETCH_PAGES,
    /** Regions that are there now. */
    REGIONS,
    /** Pages that the adapter has now. */
    REGION_PAGES,
    /** Faults under keys that are gone. */
    REGIONS_NOT_FOUND,
    /** Faults that could not be served. */
    FAILED,
    /** Faults and prefetches that waited too long for an invalidation to end. */
    TIMEOUTS,
    /** Prefetches under way. */
    PREFETCHING
}
