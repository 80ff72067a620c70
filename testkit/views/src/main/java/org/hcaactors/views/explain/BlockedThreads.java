// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.Wording;

// rules notify-wakes, notify-latched, notify-gone
/** Threads that completion queues wake: the thread of each queue, and its last action. */
final class BlockedThreads {
    private record Place(String port, Element element) {}

    private final Map<Place, Element> named = new LinkedHashMap<>();
    /** The last notification of each queue, since it reached its thread; none once a later one is sent. */
    private final Map<Place, HcaEvent.Notified> arrived = new LinkedHashMap<>();

    private final Map<Place, HcaEvent> asleep = new LinkedHashMap<>();

    BlockedThreads(List<TraceEvent> events) {
        events.forEach(this::note);
    }

    private void note(TraceEvent event) {
        switch (event) {
            case HcaEvent.WaiterAttached e -> named.put(place(e), e.waiter());
            case HcaEvent.NotifySent e -> arrived.remove(place(e));
            case HcaEvent.Notified e -> arrived.put(place(e), e);
            case HcaEvent.WaiterSleeps e -> asleep.put(place(e), e);
            case HcaEvent.WaiterWakes e -> asleep.remove(place(e));
            case HcaEvent.WaitFailed e -> asleep.remove(place(e));
            default -> {}
        }
    }

    private static Place place(HcaEvent event) {
        return new Place(event.port(), event.element());
    }

    boolean isNamedBy(String port, Element queue) {
        return named.containsKey(new Place(port, queue));
    }

    /** Says since when the queue's thread waits, if it does. */
    void tellAsleep(String port, Element queue, ExplanationBuilder explanation) {
        Optional.ofNullable(named.get(new Place(port, queue)))
                .map(thread -> asleep.get(new Place(port, thread)))
                .ifPresent(since -> explanation
                        .show(since)
                        .say(port + "/" + since.element() + " has waited since " + at(since)
                                + " us, and the entries already in " + port + "/" + queue + " do not wake it"));
    }

    /** Explains the last notification of a queue that has a thread. */
    void tell(String port, Element queue, ExplanationBuilder explanation) {
        Place place = new Place(port, queue);
        String cq = port + "/" + queue;
        String thread = port + "/" + named.get(place);
        HcaEvent.Notified last = arrived.get(place);
        if (last == null) {
            explanation.say(cq + "'s notification never reached " + thread);
            return;
        }
        explanation
                .show(last)
                .say(
                        switch (last.outcome()) {
                            case WOKEN ->
                                cq + " woke " + thread + " at " + at(last) + " us, and no thread has polled it since";
                            case LATCHED ->
                                cq + "'s notification found " + thread + " running at " + at(last)
                                        + " us: its next wait would end at once, and no thread has polled the queue since";
                            case UNIT_OFF ->
                                "the host's notify unit was off at " + at(last) + " us: " + cq
                                        + " raised an interrupt for " + thread + ", and no thread has polled it since";
                            case THREAD_GONE ->
                                thread + " had ended, so " + cq
                                        + " reported to its completion channel, if it has one, at " + at(last)
                                        + " us; no thread has polled it since";
                        });
    }

    private static String at(TraceEvent event) {
        return Wording.micros(event.stamp().nanos());
    }
}
