// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.counter;

// rules paging-counters, paging-gauges
/** Page counters of an adapter, each for one kind of event. */
public enum PagingCounter {
    /** Faults that were answered and can be tried again. */
    PAGE_FAULTS,
    /** Pages that faults mapped and the adapter did not have. */
    PAGE_FAULT_PAGES,
    INVALIDATIONS,
    /** Pages that were mapped and invalidated. */
    INVALIDATION_PAGES,
    /** Faults and prefetches that ran into an invalidation. */
    CONTENTIONS,
    /** Prefetch calls that succeeded. */
    PREFETCHES,
    /** Pages that prefetches mapped and the adapter did not have. */
    PREFETCH_PAGES,
    /** Present on-demand regions. */
    REGIONS,
    /** Pages mapped at present. */
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
