// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.hcaactors.adapter.books.Statement;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.HcaEvent.Arrival;
import org.hcaactors.adapter.flow.HcaEvent.KeyKind;
import org.hcaactors.api.device.PagingCounters;
import org.hcaactors.fabric.flow.TraceEvent;

/** What an adapter has counted of pages is what the trace tells, each count by its own event (rules paging-counters, paging-gauges). */
final class PagesAreCounted implements Invariant {
    /** What was told of one adapter. */
    private static final class Told {
        long faults;
        long faultPages;
        long prefetches;
        long prefetchPages;
        long invalidations;
        long invalidationPages;
        long contentions;
        long failed;
        /** Pages that the adapter has, by region. */
        final Map<Integer, Long> regions = new LinkedHashMap<>();
        /** A region was registered anew: what it is now is not told. */
        boolean isVague;
    }

    private final Ledger ledger;
    private final Map<String, Told> told = new LinkedHashMap<>();

    PagesAreCounted(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public String name() {
        return "pages-are-counted";
    }

    @Override
    public void on(TraceEvent event, Known known, Report report) {
        switch (event) {
            case HcaEvent.Registered fresh when fresh.kind() == KeyKind.PAGED_REGION ->
                of(fresh).regions.put(fresh.who().number(), 0L);
            case HcaEvent.KeyTakenAway gone -> forget(gone);
            case HcaEvent.BecameUndefined gone -> forget(gone);
            case HcaEvent.Reregistered anew -> of(anew).isVague = true;
            case HcaEvent.PagesMapped come -> come(come, of(come));
            case HcaEvent.PageFaultFailed failed -> of(failed).failed++;
            case HcaEvent.PrefetchAccepted prefetch -> of(prefetch).prefetches++;
            case HcaEvent.PagesInvalidated gone -> {
                Told here = of(gone);
                here.invalidations++;
                here.invalidationPages += gone.pages();
                here.regions.computeIfPresent(gone.who().number(), (key, pages) -> pages - gone.pages());
            }
            default -> {}
        }
    }

    private Told of(HcaEvent event) {
        return told.computeIfAbsent(event.port(), absent -> new Told());
    }

    private void forget(HcaEvent gone) {
        of(gone).regions.remove(gone.who().number());
    }

    private static void come(HcaEvent.PagesMapped come, Told here) {
        if (come.why() == Arrival.FAULT) {
            here.faults++;
            here.faultPages += come.pages();
        } else {
            here.prefetchPages += come.pages();
        }
        here.contentions += come.contended() ? 1 : 0;
        here.regions.computeIfPresent(come.who().number(), (key, pages) -> pages + come.pages());
    }

    @Override
    public void atQuiet(Known known, Report report) {
        ledger.statements(Statement.Pager.class)
                .forEach(pager -> judge(
                        pager, Objects.requireNonNullElseGet(told.get(pager.adapter()), Told::new), report));
    }

    private static void judge(Statement.Pager pager, Told told, Report report) {
        PagingCounters counted = pager.counted();
        Tally tally = new Tally(pager.adapter(), report);
        tally.same("page faults", counted.pageFaults(), told.faults);
        tally.same("pages that faults brought", counted.pageFaultPages(), told.faultPages);
        tally.same("prefetches", counted.prefetches(), told.prefetches);
        tally.same("pages that prefetches brought", counted.prefetchPages(), told.prefetchPages);
        tally.same("invalidations", counted.invalidations(), told.invalidations);
        tally.same("pages that went", counted.invalidationPages(), told.invalidationPages);
        tally.same("faults that failed", counted.failedResolutions(), told.failed);
        // A fault that met an invalidation may end with its region.
        long over = counted.contentions() - told.contentions;
        if (over < 0 || over > counted.regionsNotFound()) {
            tally.same("contentions", counted.contentions(), told.contentions);
        }
        if (!told.isVague) {
            tally.same("regions on demand", counted.regions(), told.regions.size());
            tally.same(
                    "pages of regions on demand",
                    counted.regionPages(),
                    told.regions.values().stream().mapToLong(Long::longValue).sum());
        }
    }

    private record Tally(String adapter, Report report) {
        void same(String what, long counted, long events) {
            if (counted != events) {
                report.broken("%s has counted %d %s, and the trace tells of %d"
                        .formatted(adapter, counted, what, events));
            }
        }
    }
}
