// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;

/** The causes and consequences of the events of a trace. */
public final class Lineage {
    /** Maximum number of causes that are followed; no request has a longer chain. */
    private static final int MAX_STEPS = 64;

    private final List<TraceEvent> events;
    private final Map<Long, TraceEvent> byId = new HashMap<>();
    private final Map<Long, List<TraceEvent>> consequences = new HashMap<>();

    private final long latestNanos;

    /** Sendings by the requester's queue pair number; computed at first use. */
    private final Map<Integer, List<FabricEvent.Sent>> conversations = new HashMap<>();

    private Lineage(List<TraceEvent> events) {
        this.events = List.copyOf(events);
        long latest = 0;
        for (TraceEvent event : this.events) {
            latest = Math.max(latest, event.stamp().nanos());
            byId.put(event.stamp().id(), event);
            for (long cause : event.stamp().causes()) {
                consequences.computeIfAbsent(cause, any -> new ArrayList<>(2)).add(event);
            }
        }
        latestNanos = latest;
    }

    /**
     * Returns the lineage of these events.
     *
     * @param events events, oldest first
     */
    public static Lineage of(List<TraceEvent> events) {
        return new Lineage(events);
    }

    /** Returns the events, oldest first. */
    public List<TraceEvent> events() {
        return events;
    }

    /** Returns the time of the latest event, which need not be the last one on a real clock. */
    public long latestNanos() {
        return latestNanos;
    }

    /** Returns the event of that id; empty for 0 and for an event that the trace does not hold any more. */
    public Optional<TraceEvent> event(long id) {
        return Optional.ofNullable(byId.get(id));
    }

    public Optional<TraceEvent> cause(TraceEvent event) {
        return event(event.stamp().cause());
    }

    /** Returns the events that have this event as a cause, oldest first. */
    public List<TraceEvent> consequences(TraceEvent event) {
        return consequences.getOrDefault(event.stamp().id(), List.of());
    }

    /** Returns the events of that kind that have this event as a cause, oldest first. */
    public <E extends TraceEvent> List<E> consequences(TraceEvent event, Class<E> kind) {
        return consequences(event).stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    /**
     * Returns the events of a packet after its entry, oldest first.
     *
     * @param entry its sending or forging
     */
    public List<FabricEvent> fates(FabricEvent entry) {
        SortedMap<Long, FabricEvent> fates = new TreeMap<>();
        Deque<FabricEvent> open = new ArrayDeque<>();
        open.add(entry);
        while (!open.isEmpty()) {
            FabricEvent at = open.remove();
            for (FabricEvent next : consequences(at, FabricEvent.class)) {
                // Only the first cause counts, so that each packet has one past: second causes in a foreign trace could
                // multiply the paths.
                boolean own = next.stamp().cause() == at.stamp().id() && !isEntry(next);
                if (own
                        && fates.putIfAbsent(next.stamp().id(), next) == null
                        && next instanceof FabricEvent.Disturbed) {
                    open.add(next);
                }
            }
        }
        return List.copyOf(fates.values());
    }

    /** Returns the event that ended the page fault, with success or not; empty while the queue pair waits. */
    public Optional<TraceEvent> answer(HcaEvent.PageFaultRaised fault) {
        return consequences(fault).stream()
                .filter(event -> event instanceof HcaEvent.PagesMapped || event instanceof HcaEvent.PageFaultFailed)
                .findFirst();
    }

    /** True if the event is the first of a packet: its sending or forging. */
    public static boolean isEntry(TraceEvent event) {
        return event instanceof FabricEvent.Sent || event instanceof FabricEvent.Forged;
    }

    /** Returns the sending of the packet that the event is about; empty if no queue pair sent it. */
    public Optional<FabricEvent.Sent> sending(FabricEvent event) {
        Optional<TraceEvent> at = Optional.of(event);
        for (int i = 0; i < MAX_STEPS && at.isPresent(); i++) {
            if (at.get() instanceof FabricEvent.Sent sent) {
                return Optional.of(sent);
            }
            at = at.flatMap(this::cause);
        }
        return Optional.empty();
    }

    /**
     * Returns the requests of queue pairs of that number and the responses to them, oldest first. Queue pairs of several
     * adapters may have the number.
     */
    public List<FabricEvent.Sent> conversation(int queuePair) {
        if (conversations.isEmpty()) {
            for (TraceEvent event : events) {
                if (event instanceof FabricEvent.Sent sent) {
                    partOf(sent)
                            .ifPresent(number -> conversations
                                    .computeIfAbsent(number, any -> new ArrayList<>())
                                    .add(sent));
                }
            }
        }
        return conversations.getOrDefault(queuePair, List.of());
    }

    private Optional<Integer> partOf(FabricEvent.Sent sent) {
        return sent.packet().operation().isResponse()
                ? Optional.of(sent.packet().bth().destQp())
                : posting(sent).map(posted -> posted.element().number());
    }

    /** Returns the posting of the request that the event belongs to or answers. */
    public Optional<HcaEvent.WorkPosted> posting(TraceEvent event) {
        Optional<TraceEvent> at = Optional.of(event);
        for (int i = 0; i < MAX_STEPS && at.isPresent(); i++) {
            if (at.get() instanceof HcaEvent.WorkPosted posted) {
                return Optional.of(posted);
            }
            at = at.flatMap(this::cause);
        }
        return Optional.empty();
    }
}
