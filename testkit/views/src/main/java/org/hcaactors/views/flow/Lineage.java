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

/** Which event of a trace follows from which. */
public final class Lineage {
    /** Causes that are followed back at most; no chain of one request is longer. */
    private static final int MAX_STEPS = 64;

    private final List<TraceEvent> events;
    private final Map<Long, TraceEvent> byId = new HashMap<>();
    private final Map<Long, List<TraceEvent>> consequences = new HashMap<>();

    private final long latestNanos;

    /** Sendings by the number of the queue pair whose conversation they are of; made when first asked for. */
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

    /** @param events oldest first */
    public static Lineage of(List<TraceEvent> events) {
        return new Lineage(events);
    }

    /** Oldest first. */
    public List<TraceEvent> events() {
        return events;
    }

    /** Of the latest event: on a real clock it need not be the last. */
    public long latestNanos() {
        return latestNanos;
    }

    /** Empty for 0 and for what the trace does not hold any more. */
    public Optional<TraceEvent> event(long id) {
        return Optional.ofNullable(byId.get(id));
    }

    public Optional<TraceEvent> cause(TraceEvent event) {
        return event(event.stamp().cause());
    }

    /** What has it as one of its causes, oldest first. */
    public List<TraceEvent> consequences(TraceEvent event) {
        return consequences.getOrDefault(event.stamp().id(), List.of());
    }

    /** What has it as one of its causes and is of one kind, oldest first. */
    public <E extends TraceEvent> List<E> consequences(TraceEvent event, Class<E> kind) {
        return consequences(event).stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    /**
     * What happened to a packet since it came in, oldest first.
     *
     * @param entry its sending, or its forging
     */
    public List<FabricEvent> fates(FabricEvent entry) {
        SortedMap<Long, FabricEvent> fates = new TreeMap<>();
        Deque<FabricEvent> open = new ArrayDeque<>();
        open.add(entry);
        while (!open.isEmpty()) {
            FabricEvent at = open.remove();
            for (FabricEvent next : consequences(at, FabricEvent.class)) {
                // By its first cause alone a packet has one past: what a foreign trace says of second ones can't
                // multiply the ways.
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

    /** That the pages are there, or can't be had; empty while a queue pair waits for them. */
    public Optional<TraceEvent> answer(HcaEvent.PageFaultRaised fault) {
        return consequences(fault).stream()
                .filter(event -> event instanceof HcaEvent.PagesMapped || event instanceof HcaEvent.PageFaultFailed)
                .findFirst();
    }

    /** A packet comes in there: it is sent, or forged. */
    public static boolean isEntry(TraceEvent event) {
        return event instanceof FabricEvent.Sent || event instanceof FabricEvent.Forged;
    }

    /** The sending of the packet that an event is about; empty if nobody sent it. */
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
     * Requests that queue pairs of that number sent, and answers to them, oldest first: a queue pair of each adapter may have
     * the number.
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

    /** The posting that an event goes back to: of a packet's own request, or of the one that is answered. */
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
