// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.HcaEvent.Arrival;
import org.hcaactors.adapter.flow.HcaEvent.KeyKind;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.invariant.Filling;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.TraceState;

/**
 * A page of a region on demand is accessed only while it is mapped, and as many pages are mapped and invalidated as the events
 * report (rules paging-fault, paging-invalidates). Reregistered regions are not checked.
 */
final class PagesPresent implements Invariant {
    private static final int PAGE_SHIFT = 12;

    private record KeyAt(String port, int key) {}

    /** Pages of one region that the adapter has. */
    private static final class Had {
        final Set<Long> pages = new LinkedHashSet<>();
        /** True if a prefetch mapped only some of the requested pages; the event does not report which. */
        boolean atMost;
    }

    private final Map<KeyAt, Had> regions = new LinkedHashMap<>();

    @Override
    public String name() {
        return "pages-present";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(
                HcaEvent.AtomicExecuted.class,
                HcaEvent.BecameUndefined.class,
                HcaEvent.KeyDeregistered.class,
                HcaEvent.MemoryRead.class,
                HcaEvent.MemoryWritten.class,
                HcaEvent.PagesInvalidated.class,
                HcaEvent.PagesMapped.class,
                HcaEvent.Registered.class,
                HcaEvent.Reregistered.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case HcaEvent.Registered registered
            when registered.kind() == KeyKind.PAGED_REGION -> regions.put(key(registered), new Had());
            case HcaEvent.KeyDeregistered deregistered -> regions.remove(key(deregistered));
            case HcaEvent.BecameUndefined undefined -> regions.remove(key(undefined));
            case HcaEvent.Reregistered reregistered -> regions.remove(key(reregistered));
            case HcaEvent.PagesMapped mapped -> mapped(mapped, report);
            case HcaEvent.PagesInvalidated invalidated -> removePages(invalidated, report);
            case HcaEvent.MemoryRead read ->
                touched(read, read.key(), read.address(), read.lengthBytes(), traceState, report);
            case HcaEvent.MemoryWritten write ->
                touched(write, write.key(), write.address(), write.bytes().length(), traceState, report);
            case HcaEvent.AtomicExecuted atomic ->
                touched(atomic, atomic.key(), atomic.address(), atomic.after().sizeBytes(), traceState, report);
            default -> {}
        }
    }

    private static KeyAt key(HcaEvent event) {
        return new KeyAt(event.port(), event.element().number());
    }

    private void mapped(HcaEvent.PagesMapped mapped, Report report) {
        Had had = regions.get(key(mapped));
        if (had == null || mapped.contended()) {
            return;
        }
        int before = had.pages.size();
        long last = mapped.address() + mapped.lengthBytes() - 1 >>> PAGE_SHIFT;
        for (long page = mapped.address() >>> PAGE_SHIFT; page <= last; page++) {
            had.pages.add(page);
        }
        long more = had.pages.size() - before;
        had.atMost |= mapped.reason() == Arrival.PREFETCH && mapped.pages() < more;
        if (!had.atMost && mapped.pages() != more) {
            report.broken("%s/%s: %d pages are reported as mapped, but %d absent pages were requested"
                    .formatted(mapped.port(), mapped.element(), mapped.pages(), more));
        }
    }

    private void removePages(HcaEvent.PagesInvalidated invalidated, Report report) {
        Had had = regions.get(key(invalidated));
        if (had == null) {
            return;
        }
        long first = invalidated.address() >>> PAGE_SHIFT;
        long last = invalidated.address() + invalidated.lengthBytes() - 1 >>> PAGE_SHIFT;
        int before = had.pages.size();
        had.pages.removeIf(page -> first <= page && page <= last);
        long less = before - had.pages.size();
        if (!had.atMost && invalidated.pages() != less) {
            report.broken("%s/%s: %d pages are reported as lost, but %d of them were mapped"
                    .formatted(invalidated.port(), invalidated.element(), invalidated.pages(), less));
        }
    }

    private void touched(HcaEvent use, int key, long address, int count, TraceState traceState, Report report) {
        if (count > 0 && !regions.isEmpty()) {
            traceState
                    .fillings()
                    .leaves(use.port(), key, address, count)
                    .forEach(run -> touched(use, run, traceState, report));
        }
    }

    private void touched(HcaEvent use, Filling.Run run, TraceState traceState, Report report) {
        HcaEvent.Registered shown = traceState.key(use.port(), run.key()).orElse(null);
        if (shown == null) {
            return;
        }
        int key = shown.kind() == KeyKind.MEMORY_WINDOW && !shown.parents().isEmpty()
                ? shown.parents().getFirst().number()
                : run.key();
        Had had = regions.get(new KeyAt(use.port(), key));
        if (had == null) {
            return;
        }
        long from = run.address() + shown.shift();
        for (long page = from >>> PAGE_SHIFT; page <= from + run.count() - 1 >>> PAGE_SHIFT; page++) {
            if (!had.pages.contains(page)) {
                report.broken("%s/%s accesses the page at 0x%x under key 0x%08x, which is not mapped"
                        .formatted(use.port(), use.element(), page << PAGE_SHIFT, key));
                return;
            }
        }
    }
}
