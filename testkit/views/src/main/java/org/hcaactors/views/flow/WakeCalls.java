// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.AdapterEvent;
import org.hcaactors.fabric.flow.TraceEvent;

// rules notify-wakes, notify-latched, notify-gone, notify-unit-off
/** Fates of the notifications of completion queues, and other events of such queues that diagrams show. */
final class WakeCalls {
    /** First word of a fault that loses a wake-up. */
    private static final String LOSS = "lose ";

    /** A completion queue of a port. */
    private record Place(String port, String queue) {}

    private final Map<HcaEvent.NotifySent, HcaEvent.Notified> arrivals = new HashMap<>();
    private final Set<HcaEvent.Notified> answers = new HashSet<>();
    private final Map<HcaEvent.NotifySent, TestkitEvent> losses = new HashMap<>();
    private final Set<TestkitEvent> lossFaults = new HashSet<>();
    private final Set<Place> queues = new HashSet<>();

    WakeCalls(List<TraceEvent> events) {
        Map<Place, HcaEvent.NotifySent> underWay = new HashMap<>();
        for (TraceEvent event : events) {
            switch (event) {
                case HcaEvent.WaiterAttached named -> queues.add(place(named));
                case HcaEvent.NotifySent sent -> underWay.put(place(sent), sent);
                case HcaEvent.Notified arrived -> {
                    HcaEvent.NotifySent sent = underWay.remove(place(arrived));
                    if (sent != null) {
                        arrivals.put(sent, arrived);
                        answers.add(arrived);
                    }
                }
                case TestkitEvent bench
                when bench.what().startsWith(LOSS) -> {
                    HcaEvent.NotifySent sent = underWay.remove(new Place(bench.port(), bench.element()));
                    if (sent != null) {
                        losses.put(sent, bench);
                        lossFaults.add(bench);
                    }
                }
                default -> {}
            }
        }
    }

    private static Place place(HcaEvent event) {
        return new Place(event.port(), event.element().toString());
    }

    /** True if the event is shown together with its notification. */
    boolean isDrawn(TraceEvent event) {
        return switch (event) {
            case HcaEvent.Notified arrived -> answers.contains(arrived);
            case TestkitEvent bench -> lossFaults.contains(bench);
            default -> false;
        };
    }

    /** True if the thread received the notification. Otherwise it became an interrupt, or was lost. */
    boolean arrives(HcaEvent.NotifySent sent) {
        return Optional.ofNullable(arrivals.get(sent))
                .map(arrived -> switch (arrived.outcome()) {
                    case WOKEN, LATCHED -> true;
                    case UNIT_OFF, THREAD_GONE -> false;
                })
                .orElse(false);
    }

    /** Returns {@code waiter1, which waits}. */
    String end(HcaEvent.NotifySent sent) {
        HcaEvent.Notified arrived = arrivals.get(sent);
        if (arrived == null) {
            return sent.waiter() + " is never notified"
                    + Optional.ofNullable(losses.get(sent))
                            .map(bench -> ": \"" + bench.what() + "\"")
                            .orElse("");
        }
        return switch (arrived.outcome()) {
            case WOKEN -> sent.waiter() + ", which waits";
            case LATCHED -> sent.waiter() + ", which runs: its next wait ends at once";
            case UNIT_OFF -> "MSI fallback, the host's notify unit is off: an interrupt for " + sent.waiter();
            case THREAD_GONE -> "MSI fallback, " + sent.waiter() + " has ended: an interrupt for the channel";
        };
    }

    /** True for a poll of a queue that wakes a thread: it explains why the thread sleeps. */
    boolean isOfInterest(AdapterEvent event) {
        return event instanceof HcaEvent.EntriesTaken taken && queues.contains(place(taken));
    }
}
