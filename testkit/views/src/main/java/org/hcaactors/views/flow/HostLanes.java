// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.AdapterEvent;
import org.hcaactors.fabric.flow.TraceEvent;

/**
 * Beside the lanes of ports: those of hosts that bring pages in, and take them, or whose threads are woken, or whose programs do what
 * no adapter tells, while a run lasts.
 */
final class HostLanes {
    private final SortedSet<String> ports = new TreeSet<>();

    HostLanes(List<TraceEvent> events) {
        for (TraceEvent event : events) {
            if (event instanceof HcaEvent inside && (isAboutPages(inside) || isAThreads(inside))) {
                ports.add(inside.port());
            } else if (event instanceof TestkitEvent bench && bench.isOfProgram()) {
                ports.add(bench.port());
            }
        }
    }

    static boolean isAboutPages(HcaEvent event) {
        return event instanceof HcaEvent.PageFaultRaised
                || event instanceof HcaEvent.PagesMapped
                || event instanceof HcaEvent.PageFaultFailed
                || event instanceof HcaEvent.PrefetchAccepted
                || event instanceof HcaEvent.PrefetchFailed
                || event instanceof HcaEvent.PagesInvalidated;
    }

    private static boolean isAThreads(HcaEvent event) {
        return event instanceof HcaEvent.NotifySent
                || event instanceof HcaEvent.WaiterSleeps
                || event instanceof HcaEvent.WaiterWakes
                || event instanceof HcaEvent.WakeLatched
                || event instanceof HcaEvent.WaitFailed
                || event instanceof HcaEvent.WaiterEnded;
    }

    /** Of adapters whose hosts have a lane. */
    SortedSet<String> ports() {
        return ports;
    }

    /** {@code b's host}. */
    static String name(String port) {
        return port + "'s host";
    }

    /** Its host does it, or is asked for it; of what the bench does, it has what concerns its memory and its threads. */
    boolean has(AdapterEvent event) {
        boolean host = switch (event) {
            case HcaEvent inside -> isAboutPages(inside) || isAThreads(inside);
            case TestkitEvent bench ->
                bench.isOfProgram()
                        || Stream.of("evict ", "fragment ", "end ", "notify unit ")
                                .anyMatch(bench.what()::startsWith);
            default -> false;
        };
        return host && ports.contains(event.port());
    }
}
