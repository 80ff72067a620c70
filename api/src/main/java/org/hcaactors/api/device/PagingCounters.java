// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.hcaactors.api.device.CounterDescription.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Counters of an adapter's on-demand regions since it was plugged in, also over restarts, and gauges of the current state. Each
 * counts events of its own; none can be derived from another.
 *
 * <p>Immutable: {@code with} methods return changed copies of {@link #ZERO}. Counters are added in minor versions.
 */
public final class PagingCounters {
    /** Nothing has happened. */
    public static final PagingCounters ZERO = new PagingCounters(new long[Shown.values().length]);

    private final long[] counted;

    private PagingCounters(long[] counted) {
        this.counted = counted;
    }

    /** Kernel file that shows a counter, by its name there. */
    private enum Shown {
        NUM_PAGE_FAULTS(true, Kind.COUNTER, "page faults that were served"),
        NUM_PAGE_FAULT_PAGES(true, Kind.COUNTER, "pages that page faults mapped for the adapter"),
        NUM_INVALIDATIONS(true, Kind.COUNTER, "invalidations by which the host reclaimed pages of a region"),
        NUM_INVALIDATION_PAGES(true, Kind.COUNTER, "mapped pages that the host reclaimed from the adapter"),
        INVALIDATIONS_FAULTS_CONTENTIONS(
                true, Kind.COUNTER, "page faults and prefetches that conflicted with an invalidation"),
        NUM_PREFETCHES_HANDLED(true, Kind.COUNTER, "prefetch calls that succeeded"),
        NUM_PREFETCH_PAGES(true, Kind.COUNTER, "pages that prefetches mapped for the adapter"),
        NUM_ODP_MRS(false, Kind.GAUGE, "on-demand regions that are registered"),
        NUM_ODP_MR_PAGES(false, Kind.GAUGE, "pages of on-demand regions that are mapped for the adapter"),
        NUM_MRS_NOT_FOUND(false, Kind.COUNTER, "page faults for deregistered keys"),
        NUM_FAILED_RESOLUTIONS(false, Kind.COUNTER, "page faults that could not be served"),
        NUM_TIMEOUT_MMU_NOTIFIER(
                false, Kind.COUNTER, "page faults and prefetches that waited a second for an invalidation to end"),
        NUM_PREFETCH(false, Kind.GAUGE, "outstanding prefetches, plus 1, as in the driver");

        private final boolean standard;
        private final Kind kind;
        private final String words;

        Shown(boolean standard, Kind kind, String words) {
            this.standard = standard;
            this.kind = kind;
            this.words = words;
        }

        /** The driver counts prefetches from 1. */
        private long shown(long counted) {
            return this == NUM_PREFETCH ? counted + 1 : counted;
        }

        private CounterDescription meaning() {
            return new CounterDescription(file(), kind, words);
        }

        private String file() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Faults that were resolved, also if an invalidation prevented the fetch of their pages; failed faults are not counted. */
    public long pageFaults() {
        return counted(Shown.NUM_PAGE_FAULTS);
    }

    /** Pages that faults fetched and the adapter did not have. */
    public long pageFaultPages() {
        return counted(Shown.NUM_PAGE_FAULT_PAGES);
    }

    /** Invalidations of any number of pages, counted once for each region. */
    public long invalidations() {
        return counted(Shown.NUM_INVALIDATIONS);
    }

    /** Pages that the adapter lost by invalidations. */
    public long invalidationPages() {
        return counted(Shown.NUM_INVALIDATION_PAGES);
    }

    /** Faults and prefetches that collided with an invalidation. */
    public long contentions() {
        return counted(Shown.INVALIDATIONS_FAULTS_CONTENTIONS);
    }

    /** Prefetch calls that succeeded: flushed ones when their pages were present, others when they were accepted. */
    public long prefetches() {
        return counted(Shown.NUM_PREFETCHES_HANDLED);
    }

    /** Pages that prefetches fetched and the adapter did not have. */
    public long prefetchPages() {
        return counted(Shown.NUM_PREFETCH_PAGES);
    }

    /** Current on-demand regions; one of a whole address space counts once. */
    public long regions() {
        return counted(Shown.NUM_ODP_MRS);
    }

    /** Pages of them that the adapter has now, as the driver counts them; a manual calls it the size of the regions. */
    public long regionPages() {
        return counted(Shown.NUM_ODP_MR_PAGES);
    }

    /** Faults under keys that no longer exist. */
    public long regionsNotFound() {
        return counted(Shown.NUM_MRS_NOT_FOUND);
    }

    /** Faults that could not be resolved. */
    public long failedResolutions() {
        return counted(Shown.NUM_FAILED_RESOLUTIONS);
    }

    /** Faults and prefetches that waited one second for an invalidation to end. */
    public long invalidationTimeouts() {
        return counted(Shown.NUM_TIMEOUT_MMU_NOTIFIER);
    }

    /** Current number of prefetches. */
    public long prefetchesUnderWay() {
        return counted(Shown.NUM_PREFETCH);
    }

    public PagingCounters withPageFaults(long value) {
        return with(Shown.NUM_PAGE_FAULTS, value);
    }

    public PagingCounters withPageFaultPages(long value) {
        return with(Shown.NUM_PAGE_FAULT_PAGES, value);
    }

    public PagingCounters withInvalidations(long value) {
        return with(Shown.NUM_INVALIDATIONS, value);
    }

    public PagingCounters withInvalidationPages(long value) {
        return with(Shown.NUM_INVALIDATION_PAGES, value);
    }

    public PagingCounters withContentions(long value) {
        return with(Shown.INVALIDATIONS_FAULTS_CONTENTIONS, value);
    }

    public PagingCounters withPrefetches(long value) {
        return with(Shown.NUM_PREFETCHES_HANDLED, value);
    }

    public PagingCounters withPrefetchPages(long value) {
        return with(Shown.NUM_PREFETCH_PAGES, value);
    }

    public PagingCounters withRegions(long value) {
        return with(Shown.NUM_ODP_MRS, value);
    }

    public PagingCounters withRegionPages(long value) {
        return with(Shown.NUM_ODP_MR_PAGES, value);
    }

    public PagingCounters withRegionsNotFound(long value) {
        return with(Shown.NUM_MRS_NOT_FOUND, value);
    }

    public PagingCounters withFailedResolutions(long value) {
        return with(Shown.NUM_FAILED_RESOLUTIONS, value);
    }

    public PagingCounters withInvalidationTimeouts(long value) {
        return with(Shown.NUM_TIMEOUT_MMU_NOTIFIER, value);
    }

    public PagingCounters withPrefetchesUnderWay(long value) {
        return with(Shown.NUM_PREFETCH, value);
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
        all.put("num_prefetchs_handled", prefetches());
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
                all.put(each.file(), each.shown(counted(each)));
            }
        }
        return all;
    }

    private long counted(Shown which) {
        return counted[which.ordinal()];
    }

    private PagingCounters with(Shown which, long value) {
        long[] changed = counted.clone();
        changed[which.ordinal()] = value;
        return new PagingCounters(changed);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PagingCounters same && Arrays.equals(counted, same.counted);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(counted);
    }

    /** Names those that are not 0. */
    @Override
    public String toString() {
        return Arrays.stream(Shown.values())
                .filter(each -> counted(each) != 0)
                .map(each -> each.file() + "=" + counted(each))
                .collect(Collectors.joining(", ", "PagingCounters[", "]"));
    }
}
