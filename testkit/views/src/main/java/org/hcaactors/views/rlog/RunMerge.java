// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.views.flow.Lineage;

/**
 * The events of several runs in one order: by time, each after its causes. The two events of a packet at the borders that it crossed
 * are left out: its arrival has the cause of the first one.
 */
final class RunMerge {
    private record Place(int run, long id) {}

    /** A run, and the address of an adapter of another one. */
    private record Link(int run, PortAddress peer) {}

    private final List<JoinedRun.Part> parts;
    private final ToLongFunction<Crossing.Side> time;
    /** By the event with which a packet entered: where it had left. */
    private final Map<TraceEvent, Crossing.Side> leftBy = new IdentityHashMap<>();
    /** By run and the event with which a packet entered: how it left. */
    private final Map<Place, FabricEvent> origins = new HashMap<>();
    /** Arrivals at a border of packets that entered elsewhere, or that another event says are lost. */
    private final Set<TraceEvent> passed = Collections.newSetFromMap(new IdentityHashMap<>());

    private final Map<PortAddress, String> nodeOf = new HashMap<>();
    /** Names of adapters in their own runs. */
    private final Map<PortAddress, String> adapters = new HashMap<>();

    /** When the last packet of that peer entered that run. */
    private final Map<Link, Long> lastHeard = new HashMap<>();

    private final Set<String> sharedPorts;
    private final long base;
    private final List<Map<Long, Long>> newIds = new ArrayList<>();
    private final int[] next;
    private final List<TraceEvent> merged = new ArrayList<>();
    private long lastId;

    /** @param time of an event, on the clock of all runs */
    RunMerge(List<JoinedRun.Part> parts, ToLongFunction<Crossing.Side> time, List<Crossing> crossings) {
        this.parts = parts;
        this.time = time;
        for (Crossing crossing : crossings) {
            leftBy.put(crossing.entered().event(), crossing.left());
            passed.add(crossing.left().event());
            if (crossing.left().event() instanceof FabricEvent left) {
                origins.put(
                        new Place(
                                crossing.entered().run(),
                                crossing.entered().event().stamp().id()),
                        left);
            }
        }
        parts.forEach(this::findAddresses);
        parts.forEach(this::findLost);
        sharedPorts = sharedPorts(parts);
        parts.forEach(part -> newIds.add(new HashMap<>()));
        next = new int[parts.size()];
        base = IntStream.range(0, parts.size())
                .filter(this::hasNext)
                .mapToLong(this::nextTime)
                .min()
                .orElse(0);
        IntStream.range(0, parts.size()).forEach(this::findLastHeard);
    }

    private void findLastHeard(int run) {
        for (TraceEvent event : parts.get(run).run().events()) {
            if (event instanceof FabricEvent.Sent sent && Crossing.enters(sent)) {
                lastHeard.put(
                        new Link(run, sent.packet().route().source()),
                        time.applyAsLong(new Crossing.Side(run, event)) - base);
            }
        }
    }

    private void findAddresses(JoinedRun.Part part) {
        for (TraceEvent event : part.run().events()) {
            if (event instanceof FabricEvent.Sent sent && !Crossing.enters(sent)) {
                nodeOf.put(sent.packet().route().source(), part.name());
                adapters.put(sent.packet().route().source(), sent.port());
            } else if (event instanceof FabricEvent.Delivered delivered && !Crossing.leaves(delivered)) {
                nodeOf.put(delivered.packet().route().destination(), part.name());
                adapters.put(delivered.packet().route().destination(), delivered.port());
            }
        }
    }

    /** Finds the packets that reached a border and did not leave. */
    private void findLost(JoinedRun.Part part) {
        Map<Long, TraceEvent> atBorder = new HashMap<>();
        for (TraceEvent event : part.run().events()) {
            if (Crossing.leaves(event)) {
                atBorder.put(event.stamp().id(), event);
            } else if (event instanceof FabricEvent.Dropped dropped) {
                Optional.ofNullable(atBorder.get(dropped.stamp().cause())).ifPresent(passed::add);
            }
        }
    }

    private static Set<String> sharedPorts(List<JoinedRun.Part> parts) {
        Set<String> seen = new HashSet<>();
        Set<String> shared = new HashSet<>();
        for (JoinedRun.Part part : parts) {
            Set<String> ports =
                    part.run().events().stream().map(TraceEvent::port).collect(Collectors.toSet());
            ports.stream().filter(port -> !seen.add(port)).forEach(shared::add);
        }
        return shared;
    }

    List<TraceEvent> merged() {
        for (OptionalInt run = nextRun(); run.isPresent(); run = nextRun()) {
            take(run.getAsInt());
        }
        return merged;
    }

    /** Returns the run with the earliest event whose causes are known; should packets be mixed up, the earliest one. */
    private OptionalInt nextRun() {
        return IntStream.range(0, parts.size())
                .filter(this::hasNext)
                .boxed()
                .min(Comparator.comparing((Integer run) -> !isReady(run)).thenComparingLong(this::nextTime))
                .map(OptionalInt::of)
                .orElseGet(OptionalInt::empty);
    }

    private boolean hasNext(int run) {
        return next[run] < parts.get(run).run().events().size();
    }

    private TraceEvent peek(int run) {
        return parts.get(run).run().events().get(next[run]);
    }

    private long nextTime(int run) {
        return time.applyAsLong(new Crossing.Side(run, peek(run)));
    }

    private boolean isReady(int run) {
        Crossing.Side left = leftBy.get(peek(run));
        return left == null || newId(left).isPresent();
    }

    private void take(int run) {
        TraceEvent event = peek(run);
        long nanos = Math.max(0, nextTime(run) - base);
        Optional<Long> left = Optional.ofNullable(leftBy.get(event)).flatMap(this::newId);
        next[run]++;
        if (passed.contains(event)) {
            set(run, event, newId(run, event.stamp().cause()));
        } else if (left.isPresent()) {
            set(run, event, left.get());
        } else {
            Stamp old = event.stamp();
            Stamp stamp = new Stamp(lastId + 1, nanos, newId(run, old.cause()), newId(run, old.otherCause()));
            restamped(run, asItLeft(run, event), stamp).ifPresent(moved -> {
                lastId++;
                merged.add(lostBetween(run, moved));
                set(run, event, lastId);
            });
        }
    }

    /**
     * Returns the arrival of the packet that left: sockets give it other headers below the transport, and of a wrong ICRC the run
     * where it left knows why.
     */
    private TraceEvent asItLeft(int run, TraceEvent event) {
        FabricEvent left = origins.get(new Place(run, event.stamp().cause()));
        if (left == null || !(event instanceof FabricEvent arrived) || Lineage.isEntry(arrived)) {
            return event;
        }
        if (left instanceof FabricEvent.Corrupted corrupted) {
            return atDestination(corrupted, arrived.stamp(), arrived.port());
        }
        return arrived instanceof FabricEvent.Delivered delivered
                ? new FabricEvent.Delivered(delivered.stamp(), delivered.port(), left.packet())
                : event;
    }

    /** A bit of its number may be flipped, so that its queue pair is not found: it reached its adapter at least. */
    private FabricEvent.Corrupted atDestination(FabricEvent.Corrupted left, Stamp stamp, String otherwise) {
        PortAddress destination = left.packet().route().destination();
        String port = isBorder(otherwise) && adapters.containsKey(destination)
                ? named(nodeOf.getOrDefault(destination, ""), adapters.get(destination))
                : otherwise;
        return new FabricEvent.Corrupted(stamp, port, left.packet(), left.frame(), left.what(), left.by());
    }

    private void set(int run, TraceEvent event, long id) {
        newIds.get(run).put(event.stamp().id(), id);
    }

    private Optional<Long> newId(Crossing.Side left) {
        return Optional.ofNullable(
                newIds.get(left.run()).get(left.event().stamp().id()));
    }

    private long newId(int run, long old) {
        return newIds.get(run).getOrDefault(old, 0L);
    }

    private String named(String part, String port) {
        return sharedPorts.contains(port) ? part + "/" + port : port;
    }

    /** Returns the event with that stamp; empty for one of a kind that recorded runs do not have. */
    private Optional<TraceEvent> restamped(int run, TraceEvent event, Stamp stamp) {
        return EventJson.toJson(event).flatMap(node -> {
            node.put("port", named(parts.get(run).name(), event.port()));
            try {
                return EventJson.fromJson(node, EventType.of(event).orElseThrow(), stamp);
            } catch (IOException impossible) {
                throw new UncheckedIOException("an event that was written cannot be read: " + node, impossible);
            }
        });
    }

    /** Returns that a packet is lost, if it left for another of the runs and did not enter it; where it was to be, with a wrong ICRC. */
    private TraceEvent lostBetween(int run, TraceEvent event) {
        if (event instanceof FabricEvent.Corrupted bad && isBorder(bad.port())) {
            return atDestination(bad, bad.stamp(), bad.port());
        }
        if (!(event instanceof FabricEvent.Delivered left) || !isBorder(left.port())) {
            return event;
        }
        PortAddress destination = left.packet().route().destination();
        String own = parts.get(run).name();
        String other = Optional.ofNullable(nodeOf.get(destination))
                .or(() -> onlyUnfinished(own))
                .orElse(own);
        boolean isAfterEnd = hasEnded(other, left);
        if (isAfterEnd && left.stamp().nanos() < lastHeard.getOrDefault(new Link(run, destination), 0L)) {
            // The other one still sent, so the packet may have arrived.
            return event;
        }
        String reason = "it left " + own
                + (isAfterEnd
                        ? " after the recording of " + other + " had ended, which crashed or was killed"
                        : " and is not in the recording of " + other);
        return other.equals(own) ? event : new FabricEvent.Dropped(left.stamp(), left.port(), left.packet(), reason);
    }

    /** Returns the run that has no end, if only one other has none: an adapter without packets in its run has no known address. */
    private Optional<String> onlyUnfinished(String own) {
        List<String> all = parts.stream()
                .filter(part -> part.run().trailer().isEmpty() && !part.name().equals(own))
                .map(JoinedRun.Part::name)
                .toList();
        return all.size() == 1 ? Optional.of(all.getFirst()) : Optional.empty();
    }

    /** True if that run has no end, and no event as late as this one. */
    private boolean hasEnded(String name, TraceEvent left) {
        return IntStream.range(0, parts.size())
                .filter(run -> parts.get(run).name().equals(name))
                .anyMatch(run -> parts.get(run).run().trailer().isEmpty()
                        && !parts.get(run).run().events().isEmpty()
                        && lastTime(run) <= left.stamp().nanos());
    }

    private long lastTime(int run) {
        return time.applyAsLong(
                        new Crossing.Side(run, parts.get(run).run().events().getLast()))
                - base;
    }

    private static boolean isBorder(String port) {
        return Crossing.BORDERS.contains(port.substring(port.lastIndexOf('/') + 1));
    }
}
