// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.HcaEvent.Arrival;
import org.hcaactors.adapter.flow.HcaEvent.KeyKind;
import org.hcaactors.adapter.flow.KeyDenied;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.api.device.PagingCounters;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.ResourceLedger;
import org.hcaactors.lab.invariant.TraceState;

/**
 * Each paging counter of an adapter equals the sum over the adapter's events, and at rest every page fault is resolved (rules
 * paging-counters, paging-gauges, paging-fault).
 */
final class PageCounters implements Invariant {
    /** Sums over the events of one adapter. */
    private static final class Sums {
        long faults;
        long faultPages;
        long invalidations;
        long invalidationPages;
        long contentions;
        long prefetches;
        long prefetchPages;
        long failed;
        long notFound;

        /** By key of an open region on demand: how many of its pages the adapter has. */
        final Map<Integer, Long> pages = new LinkedHashMap<>();

        /** True after a reregistration: no event reports whether the region is on demand now. */
        boolean unsure;

        private void take(HcaEvent event) {
            switch (event) {
                case HcaEvent.PagesMapped mapped -> {
                    contentions += mapped.contended() ? 1 : 0;
                    if (mapped.reason() == Arrival.FAULT) {
                        faults++;
                        faultPages += mapped.pages();
                    } else {
                        prefetchPages += mapped.pages();
                    }
                    pages.computeIfPresent(mapped.element().number(), (key, had) -> had + mapped.pages());
                }
                case HcaEvent.PageFaultFailed one -> {
                    failed++;
                    notFound += isNotFound(one.reason()) ? 1 : 0;
                }
                case HcaEvent.PrefetchAccepted one -> prefetches++;
                case HcaEvent.PrefetchFailed one -> prefetches -= one.told() ? 1 : 0;
                case HcaEvent.PagesInvalidated invalidated -> {
                    invalidations++;
                    invalidationPages += invalidated.pages();
                    pages.computeIfPresent(invalidated.element().number(), (key, had) -> had - invalidated.pages());
                }
                case HcaEvent.Registered registered ->
                    pages.put(registered.element().number(), 0L);
                case HcaEvent.KeyDeregistered deregistered ->
                    pages.remove(deregistered.element().number());
                case HcaEvent.BecameUndefined undefined ->
                    pages.remove(undefined.element().number());
                case HcaEvent.Reregistered reregistered -> {
                    unsure = true;
                    pages.remove(reregistered.element().number());
                }
                default -> {}
            }
        }

        private static boolean isNotFound(Reason reason) {
            return reason instanceof KeyDenied denied && denied.reason() instanceof Denial.Unregistered;
        }

        private long regionPages() {
            return pages.values().stream().mapToLong(Long::longValue).sum();
        }

        private Map<String, Long> named() {
            Map<String, Long> all = new LinkedHashMap<>();
            all.put("num_page_faults", faults);
            all.put("num_page_fault_pages", faultPages);
            all.put("num_invalidations", invalidations);
            all.put("num_invalidation_pages", invalidationPages);
            all.put("invalidations_faults_contentions", contentions);
            all.put("num_prefetch_pages", prefetchPages);
            all.put("num_failed_resolutions", failed);
            all.put("num_mrs_not_found", notFound);
            return all;
        }
    }

    private final ResourceLedger ledger;
    private final Map<String, Sums> sums = new LinkedHashMap<>();

    /** True if a paging event arrived since the last comparison. */
    private boolean changed;

    PageCounters(ResourceLedger ledger) {
        this.ledger = ledger;
    }

    @Override
    public String name() {
        return "page-counters";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(
                HcaEvent.BecameUndefined.class,
                HcaEvent.KeyDeregistered.class,
                HcaEvent.PageFaultFailed.class,
                HcaEvent.PagesInvalidated.class,
                HcaEvent.PagesMapped.class,
                HcaEvent.PrefetchAccepted.class,
                HcaEvent.PrefetchFailed.class,
                HcaEvent.Registered.class,
                HcaEvent.Reregistered.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case HcaEvent.PagesMapped mapped -> take(mapped);
            case HcaEvent.PageFaultFailed failed -> take(failed);
            case HcaEvent.PrefetchAccepted accepted -> take(accepted);
            case HcaEvent.PrefetchFailed failed -> take(failed);
            case HcaEvent.PagesInvalidated invalidated -> take(invalidated);
            case HcaEvent.Registered registered
            when registered.kind() == KeyKind.PAGED_REGION || registered.kind() == KeyKind.HOST_PAGED_REGION ->
                take(registered);
            case HcaEvent.KeyDeregistered deregistered -> takeIfAny(deregistered);
            case HcaEvent.BecameUndefined undefined -> takeIfAny(undefined);
            case HcaEvent.Reregistered reregistered -> take(reregistered);
            default -> {}
        }
    }

    private void take(HcaEvent event) {
        sums.computeIfAbsent(event.port(), first -> new Sums()).take(event);
        changed = true;
    }

    /** Ignores key events of an adapter that has had no region on demand. */
    private void takeIfAny(HcaEvent event) {
        if (sums.containsKey(event.port())) {
            take(event);
        }
    }

    @Override
    public void betweenEvents(TraceState traceState, Report report) {
        if (changed) {
            changed = false;
            ledger.statements(ResourceSnapshot.Pager.class).forEach(pager -> check(pager, report));
        }
    }

    @Override
    public void whenIdle(TraceState traceState, Report report) {
        ledger.statements(ResourceSnapshot.Pager.class).forEach(pager -> {
            check(pager, report);
            regions(pager, report);
            if (pager.outstanding() > 0) {
                report.broken(
                        pager.adapter() + " is at rest, but has not answered " + pager.outstanding() + " page faults");
            }
        });
    }

    private void check(ResourceSnapshot.Pager pager, Report report) {
        Sums events = sums.computeIfAbsent(pager.adapter(), first -> new Sums());
        Map<String, Long> counted = new LinkedHashMap<>(pager.counted().standard());
        counted.putAll(pager.counted().debug());
        events.named().forEach((name, value) -> {
            if (!value.equals(counted.get(name))) {
                report.broken("%s of %s is %d, but its events show %d"
                        .formatted(name, pager.adapter(), counted.get(name), value));
            }
        });
        handled(pager.counted(), events, pager.adapter(), report);
        gauges(pager, report);
    }

    /** Compares the prefetches: a call that waits for its pages counts only when it has succeeded. */
    private static void handled(PagingCounters counted, Sums events, String adapter, Report report) {
        long waiting = counted.prefetchesUnderWay();
        if (counted.prefetches() > events.prefetches || counted.prefetches() < events.prefetches - waiting) {
            report.broken("num_prefetches_handled of %s is %d, but its events show %d, of which %d may be outstanding"
                    .formatted(adapter, counted.prefetches(), events.prefetches, waiting));
        }
    }

    /**
     * Compares the gauges of regions and pages. A region is counted until its pages are released, which takes longer than
     * taking its key away.
     */
    private void regions(ResourceSnapshot.Pager pager, Report report) {
        Sums events = sums.computeIfAbsent(pager.adapter(), first -> new Sums());
        if (!events.unsure) {
            gauges(pager.adapter(), pager.counted(), events, report);
        }
    }

    private static void gauges(String adapter, PagingCounters counted, Sums events, Report report) {
        if (counted.regions() != events.pages.size() || counted.regionPages() != events.regionPages()) {
            report.broken("%s counts %d regions on demand and %d pages of them, but its events show %d and %d"
                    .formatted(
                            adapter,
                            counted.regions(),
                            counted.regionPages(),
                            events.pages.size(),
                            events.regionPages()));
        }
    }

    private static void gauges(ResourceSnapshot.Pager pager, Report report) {
        PagingCounters counted = pager.counted();
        long max = counted.pageFaultPages() + counted.prefetchPages() - counted.invalidationPages();
        if (counted.regions() != pager.regions()) {
            report.broken("%s counts %d regions on demand, but has %d"
                    .formatted(pager.adapter(), counted.regions(), pager.regions()));
        }
        if (counted.regionPages() != pager.pages() || counted.regionPages() > max) {
            report.broken("%s counts %d pages of regions, but has %d; at most %d are possible"
                    .formatted(pager.adapter(), counted.regionPages(), pager.pages(), max));
        }
        if (counted.prefetchesUnderWay() < 0 || counted.prefetchesUnderWay() > pager.outstanding()) {
            report.broken("%s counts %d outstanding prefetches, but serves only %d faults and prefetches"
                    .formatted(pager.adapter(), counted.prefetchesUnderWay(), pager.outstanding()));
        }
        if (counted.invalidationTimeouts() > counted.contentions()) {
            report.broken("%s counts %d page faults that waited too long for an invalidation, but only %d that met one"
                    .formatted(pager.adapter(), counted.invalidationTimeouts(), counted.contentions()));
        }
    }
}
