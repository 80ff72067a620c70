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
/** What became of each notification of a completion queue, and what else such queues do that a picture wants. */
final class WakeCalls {
    /** How the bench names a fault that takes a wake-up away. */
    private static final String LOSS = "lose ";

    /** Where a completion queue is. */
    private record Place(String port, String queue) {}

    private final Map<HcaEvent.NotifySent, HcaEvent.Notified> arrivals = new HashMap<>();
    private final Set<HcaEvent.Notified> answers = new HashSet<>();
    private final Map<HcaEvent.NotifySent, TestkitEvent> losses = new HashMap<>();
    private final Set<TestkitEvent> thieves = new HashSet<>();
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
                        thieves.add(bench);
                    }
                }
                default -> {}
            }
        }
    }

    private static Place place(HcaEvent event) {
        return new Place(event.port(), event.element().toString());
    }

    /** It stands with the notification that it is the end of. */
    boolean isTold(TraceEvent event) {
        return switch (event) {
            case HcaEvent.Notified arrived -> answers.contains(arrived);
            case TestkitEvent bench -> thieves.contains(bench);
            default -> false;
        };
    }

    /** The thread heard of it; what does not come to it as a notification is an interrupt, or is lost. */
    boolean arrives(HcaEvent.NotifySent sent) {
        return Optional.ofNullable(arrivals.get(sent))
                .map(arrived -> switch (arrived.outcome()) {
                    case WOKEN, LATCHED -> true;
                    case UNIT_OFF, THREAD_GONE -> false;
                })
                .orElse(false);
    }

    /** {@code waiter1, which waits}. */
    String end(HcaEvent.NotifySent sent) {
        HcaEvent.Notified arrived = arrivals.get(sent);
        if (arrived == null) {
            return sent.waiter() + " never hears of it"
                    + Optional.ofNullable(losses.get(sent))
                            .map(bench -> ": \"" + bench.what() + "\"")
                            .orElse("");
        }
        return switch (arrived.outcome()) {
            case WOKEN -> sent.waiter() + ", which waits";
            case LATCHED -> sent.waiter() + ", which runs: its next wait is over at once";
            case UNIT_OFF -> "MSI fallback, the host's notify unit is off: an interrupt for " + sent.waiter();
            case THREAD_GONE -> "MSI fallback, " + sent.waiter() + " is gone: an interrupt for the channel";
        };
    }

    /** When a queue that wakes a thread was polled says why that sleeps. */
    boolean isOfInterest(AdapterEvent event) {
        return event instanceof HcaEvent.EntriesTaken taken && queues.contains(place(taken));
    }
}
