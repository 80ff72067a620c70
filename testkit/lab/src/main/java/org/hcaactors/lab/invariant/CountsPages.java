// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.LinkedHashMap;
import java.util.Map;
import org.hcaactors.adapter.books.Statement;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.HcaEvent.Arrival;
import org.hcaactors.api.device.PagingCounters;
import org.hcaactors.fabric.flow.TraceEvent;

/**
 * What an adapter has counted of pages is what its events told, each counter by its own; and at rest no fault is without its
 * answer (rules paging-counters, paging-gauges, paging-fault).
 */
final class CountsPages implements Invariant {
    /** What the events of one adapter told. */
    private static final class Told {
        long faults;
        long faultPages;
        long invalidations;
        long invalidationPages;
        long contentions;
        long prefetches;
        long prefetchPages;
        long failed;

        private void take(HcaEvent event) {
            switch (event) {
                case HcaEvent.PagesMapped mapped -> {
                    contentions += mapped.contended() ? 1 : 0;
                    if (mapped.why() == Arrival.FAULT) {
                        faults++;
                        faultPages += mapped.pages();
                    } else {
                        prefetchPages += mapped.pages();
                    }
                }
                case HcaEvent.PageFaultFailed one -> failed++;
                case HcaEvent.PrefetchAccepted one -> prefetches++;
                case HcaEvent.PagesInvalidated gone -> {
                    invalidations++;
                    invalidationPages += gone.pages();
                }
                default -> {}
            }
        }

        private Map<String, Long> named() {
            Map<String, Long> all = new LinkedHashMap<>();
            all.put("num_page_faults", faults);
            all.put("num_page_fault_pages", faultPages);
            all.put("num_invalidations", invalidations);
            all.put("num_invalidation_pages", invalidationPages);
            all.put("invalidations_faults_contentions", contentions);
            all.put("num_prefetches_handled", prefetches);
            all.put("num_prefetch_pages", prefetchPages);
            all.put("num_failed_resolutions", failed);
            return all;
        }
    }

    private final Ledger ledger;
    private final Map<String, Told> told = new LinkedHashMap<>();

    CountsPages(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public String name() {
        return "counts-pages";
    }

    @Override
    public void on(TraceEvent event, Known known, Report report) {
        switch (event) {
            case HcaEvent.PagesMapped mapped -> take(mapped);
            case HcaEvent.PageFaultFailed failed -> take(failed);
            case HcaEvent.PrefetchAccepted accepted -> take(accepted);
            case HcaEvent.PagesInvalidated gone -> take(gone);
            default -> {}
        }
    }

    private void take(HcaEvent event) {
        told.computeIfAbsent(event.port(), first -> new Told()).take(event);
    }

    @Override
    public void atLull(Known known, Report report) {
        if (!told.isEmpty()) {
            ledger.statements(Statement.Pager.class).forEach(pager -> check(pager, report));
        }
    }

    @Override
    public void atQuiet(Known known, Report report) {
        ledger.statements(Statement.Pager.class).forEach(pager -> {
            check(pager, report);
            if (pager.outstanding() > 0) {
                report.broken(
                        pager.adapter() + " is at rest, and owes an answer to " + pager.outstanding() + " page faults");
            }
        });
    }

    private void check(Statement.Pager pager, Report report) {
        Told events = told.computeIfAbsent(pager.adapter(), first -> new Told());
        Map<String, Long> counted = new LinkedHashMap<>(pager.counted().standard());
        counted.putAll(pager.counted().debug());
        events.named().forEach((name, value) -> {
            if (!value.equals(counted.get(name))) {
                report.broken("%s of %s is %d, and %d by its events"
                        .formatted(name, pager.adapter(), counted.get(name), value));
            }
        });
        gauges(pager, report);
    }

    private static void gauges(Statement.Pager pager, Report report) {
        PagingCounters counted = pager.counted();
        long most = counted.pageFaultPages() + counted.prefetchPages() - counted.invalidationPages();
        if (counted.regions() != pager.regions()) {
            report.broken("%s counts %d regions on demand and has %d"
                    .formatted(pager.adapter(), counted.regions(), pager.regions()));
        }
        if (counted.regionPages() != pager.pages() || counted.regionPages() > most) {
            report.broken("%s counts %d pages of regions and has %d; at most %d can be there"
                    .formatted(pager.adapter(), counted.regionPages(), pager.pages(), most));
        }
    }
}
