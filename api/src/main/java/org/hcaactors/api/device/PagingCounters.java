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
 * What an adapter has counted of the pages of its regions on demand, since it was plugged in, also over restarts; and of what
 * there is now, its gauges. Each has its own event: none follows from another. Immutable.
 *
 * @param pageFaults that were answered and could be tried again, also where an invalidation kept their pages from coming; those
 *     that failed are not among them
 * @param pageFaultPages pages that faults brought and the adapter did not have
 * @param invalidations of any number of pages, once for each region
 * @param invalidationPages pages that the adapter had and lost to them
 * @param contentions faults and prefetches that ran into an invalidation
 * @param prefetches calls that succeeded: flushed ones when their pages were there, others when they were accepted
 * @param prefetchPages pages that prefetches brought and the adapter did not have
 * @param regions on demand that are there now; one of a whole address space counts once
 * @param regionPages pages that the adapter has of them now, as the driver counts them; a manual calls it the size of the regions
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

    /** The file of a kernel that shows one of them, by its name there. */
    private enum Shown {
        NUM_PAGE_FAULTS(true, Kind.TOTAL, PagingCounters::pageFaults, "page faults that were answered"),
        NUM_PAGE_FAULT_PAGES(
                true,
                Kind.TOTAL,
                PagingCounters::pageFaultPages,
                "pages that faults brought and the adapter did not have"),
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
                "pages that prefetches brought and the adapter did not have"),
        NUM_ODP_MRS(false, Kind.LEVEL, PagingCounters::regions, "regions on demand that there are"),
        NUM_ODP_MR_PAGES(
                false, Kind.LEVEL, PagingCounters::regionPages, "pages of regions on demand that the adapter has"),
        NUM_MRS_NOT_FOUND(false, Kind.TOTAL, PagingCounters::regionsNotFound, "page faults under keys that are gone"),
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
                "prefetches under way, and 1: the driver begins to count there");

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

    /** What each name of {@link #standard} and {@link #debug} stands for, in name order; of two names for one, the kernel's. */
    public static List<CounterDescription> meanings() {
        return Arrays.stream(Shown.values())
                .map(Shown::meaning)
                .sorted(Comparator.comparing(CounterDescription::name))
                .toList();
    }

    /**
     * As the files of {@code /sys/class/infiniband_verbs/uverbsN/} have them, by name; {@code num_prefetches_handled} also under
     * the name that its documentation gives it.
     */
    public SortedMap<String, Long> standard() {
        SortedMap<String, Long> all = shown(true);
        all.put("num_prefetchs_handled", prefetches);
        return all;
    }

    /** As the files of {@code /sys/kernel/debug/mlx5/.../odp_stats/} have them, by name; {@code num_prefetch} begins at 1. */
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
