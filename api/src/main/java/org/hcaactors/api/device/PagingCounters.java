// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.hcaactors.api.device.CounterDescription.Kind;

/**
 * Counters of an adapter's on-demand regions since it was plugged in, also over restarts, and gauges of the current state. Each
 * counts events of its own; none can be derived from another. Immutable.
 *
 * @param pageFaults faults that were resolved, also if an invalidation prevented the fetch of their pages; failed faults are
 *     not counted
 * @param pageFaultPages pages that faults fetched and the adapter did not have
 * @param invalidations invalidations of any number of pages, counted once for each region
 * @param invalidationPages pages that the adapter lost by invalidations
 * @param contentions faults and prefetches that collided with an invalidation
 * @param prefetches prefetch calls that succeeded: flushed ones when their pages were present, others when they were accepted
 * @param prefetchPages pages that prefetches fetched and the adapter did not have
 * @param regions current on-demand regions; one of a whole address space counts once
 * @param regionPages pages of them that the adapter has now, as the driver counts them; a manual calls it the size of the
 *     regions
 * @param regionsNotFound faults under keys that no longer exist
 * @param failedResolutions faults that could not be resolved
 * @param invalidationTimeouts faults and prefetches that waited one second for an invalidation to end
 * @param prefetchesUnderWay current number of prefetches
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

    /** Kernel file that shows a counter, by its name there. */
    private enum Shown {
        NUM_PAGE_FAULTS(true, Kind.TOTAL, PagingCounters::pageFaults, "page faults that were answered"),
        NUM_PAGE_FAULT_PAGES(
                true,
                Kind.TOTAL,
                PagingCounters::pageFaultPages,
                "pages that faults mapped and the adapter did not have"),
        NUM_INVALIDATIONS(
                true, Kind.TOTAL, PagingCounters::invalidations, "times that the host took pages of a region back"),
        NUM_INVALIDATION_PAGES(
                true,
                Kind.TOTAL,
                PagingCounters::invalidationPages,
                "pages that the adapter had and the host took back"),
        INVALIDATIONS_FAULTS_CONTENTIONS(
                true,
                Kind.TOTAL,
                PagingCounters::contentions,
                "page faults and prefetches that ran into an invalidation"),
        NUM_PREFETCHES_HANDLED(true, Kind.TOTAL, PagingCounters::prefetches, "calls of a prefetch that succeeded"),
        NUM_PREFETCH_PAGES(
                true,
                Kind.TOTAL,
                PagingCounters::prefetchPages,
                "pages that prefetches mapped and the adapter did not have"),
        NUM_ODP_MRS(false, Kind.LEVEL, PagingCounters::regions, "regions on demand that there are"),
        NUM_ODP_MR_PAGES(
                false, Kind.LEVEL, PagingCounters::regionPages, "pages of regions on demand that the adapter has"),
        NUM_MRS_NOT_FOUND(false, Kind.TOTAL, PagingCounters::regionsNotFound, "page faults under deregistered keys"),
        NUM_FAILED_RESOLUTIONS(
                false, Kind.TOTAL, PagingCounters::failedResolutions, "page faults that could not be served"),
        NUM_TIMEOUT_MMU_NOTIFIER(
                false,
                Kind.TOTAL,
                PagingCounters::invalidationTimeouts,
                "page faults and prefetches that waited for a second for an invalidation to end"),
        NUM_PREFETCH(
                false,
                Kind.LEVEL,
                counted -> counted.prefetchesUnderWay + 1,
                "outstanding prefetches, plus 1, as in the driver");

        private final boolean standard;
        private final Kind kind;
        private final ToLongFunction<PagingCounters> value;
        private final String words;

        Shown(boolean standard, Kind kind, ToLongFunction<PagingCounters> value, String words) {
            this.standard = standard;
            this.kind = kind;
            this.value = value;
            this.words = words;
        }

        private CounterDescription meaning() {
            return new CounterDescription(file(), kind, words);
        }

        private String file() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Descriptions of the names in {@link #standard} and {@link #debug}, sorted by name; for a counter with two names, the
     * kernel's.
     */
    public static List<CounterDescription> meanings() {
        return Arrays.stream(Shown.values())
                .map(Shown::meaning)
                .sorted(Comparator.comparing(CounterDescription::name))
                .toList();
    }

    /**
     * Values as in the files of {@code /sys/class/infiniband_verbs/uverbsN/}, by name; {@code num_prefetches_handled} also
     * under its documented name.
     */
    public SortedMap<String, Long> standard() {
        SortedMap<String, Long> all = shown(true);
        all.put("num_prefetchs_handled", prefetches);
        return all;
    }

    /** Values as in the files of {@code /sys/kernel/debug/mlx5/.../odp_stats/}, by name; {@code num_prefetch} begins at 1. */
    public SortedMap<String, Long> debug() {
        return shown(false);
    }

    private SortedMap<String, Long> shown(boolean standard) {
        SortedMap<String, Long> all = new TreeMap<>();
        for (Shown each : Shown.values()) {
            if (each.standard == standard) {
                all.put(each.file(), each.value.applyAsLong(this));
            }
        }
        return all;
    }
}
