// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.views.flow.Lineage;
import org.hcaactors.views.flow.Wording;
import org.hcaactors.views.rlog.EventType;

/**
 * The events of a run as columns. References between events are indexes from 1; 0 means none, also for an event that is no
 * longer held.
 */
final class EventColumns {
    private final Lineage lineage;
    private final StringTable texts;
    private final Lanes lanes;
    private final Frames frames;
    private final List<TraceEvent> shown;
    private final NavigableMap<Long, Integer> places = new TreeMap<>();
    private final Map<Long, Integer> packets = new HashMap<>();
    private final Map<String, Integer> kinds = new LinkedHashMap<>();

    /** @param shown the events of the lineage that have an index */
    EventColumns(Lineage lineage, List<TraceEvent> shown, StringTable texts, Lanes lanes, Frames frames) {
        this.lineage = lineage;
        this.shown = shown;
        this.texts = texts;
        this.lanes = lanes;
        this.frames = frames;
        for (int i = 0; i < shown.size(); i++) {
            places.put(shown.get(i).stamp().id(), i + 1);
        }
    }

    /** Returns the index, from 1; 0 if the event is not shown. */
    int place(long id) {
        return places.getOrDefault(id, 0);
    }

    /** Returns the index of the event or of the next shown one; 0 if there is none. */
    int placeFrom(long id) {
        return Optional.ofNullable(places.ceilingEntry(id))
                .map(Map.Entry::getValue)
                .orElse(0);
    }

    /** Returns the shown events in the order of their indexes. */
    List<TraceEvent> shown() {
        return shown;
    }

    int place(Optional<? extends TraceEvent> event) {
        return event.map(one -> place(one.stamp().id())).orElse(0);
    }

    ObjectNode toJson() {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        ArrayNode id = all.putArray("id");
        ArrayNode nanos = all.putArray("nanos");
        ArrayNode kind = all.putArray("kind");
        ArrayNode lane = all.putArray("lane");
        ArrayNode text = all.putArray("text");
        ArrayNode mark = all.putArray("mark");
        ArrayNode cause = all.putArray("cause");
        ArrayNode other = all.putArray("other");
        ArrayNode packet = all.putArray("packet");
        ArrayNode request = all.putArray("request");
        for (TraceEvent event : shown) {
            id(id, event.stamp().id());
            nanos.add(event.stamp().nanos());
            kind.add(kinds.computeIfAbsent(kind(event), any -> kinds.size()));
            lane.add(lanes.of(event));
            text.add(texts.number(words(event)));
            mark.add(EventBadge.of(event));
            cause.add(place(event.stamp().cause()));
            other.add(place(event.stamp().otherCause()));
            packet.add(packet(event));
            request.add(place(lineage.posting(event)));
        }
        ArrayNode names = all.putArray("kinds");
        kinds.keySet().forEach(names::add);
        ArrayNode marks = all.putArray("marks");
        for (EventBadge each : EventBadge.values()) {
            marks.add(each.name().toLowerCase(Locale.ROOT));
        }
        return all;
    }

    /** Adds an id; as a string if a JavaScript number would not be exact. */
    private static void id(ArrayNode column, long id) {
        if (id < 1L << 53) {
            column.add(id);
        } else {
            column.add(Long.toString(id));
        }
    }

    private static String kind(TraceEvent event) {
        return EventType.of(event).map(EventType::text).orElse("other");
    }

    /** Returns the index of the event's packet, from 1. A packet equal to that of its cause is not added again. */
    private int packet(TraceEvent event) {
        return switch (event) {
            case FabricEvent travels -> {
                int number = sameAsCause(travels).orElseGet(() -> frames.add(travels) + 1);
                packets.put(travels.stamp().id(), number);
                yield number;
            }
            case HcaEvent.Discarded ignored ->
                Optional.ofNullable(packets.get(ignored.stamp().cause()))
                        .orElseGet(() -> frames.add(ignored.packet()) + 1);
            default -> 0;
        };
    }

    private Optional<Integer> sameAsCause(FabricEvent event) {
        if (event instanceof FabricEvent.Corrupted || Lineage.isEntry(event)) {
            return Optional.empty();
        }
        Packet own = event.packet();
        return lineage.cause(event)
                .filter(FabricEvent.class::isInstance)
                .map(FabricEvent.class::cast)
                .filter(before -> before.packet() == own || before.packet().equals(own))
                .flatMap(
                        before -> Optional.ofNullable(packets.get(before.stamp().id())));
    }

    static String words(TraceEvent event) {
        return switch (event) {
            case FabricEvent.Sent sent -> Wording.of(sent.packet());
            case FabricEvent.Delivered delivered -> Wording.of(delivered.packet());
            case FabricEvent.Dropped dropped -> dropped.reason();
            case FabricEvent.Corrupted corrupted -> "bad ICRC: " + corrupted.what();
            case FabricEvent.Disturbed disturbed -> disturbed.what();
            case FabricEvent.Forged forged -> forged.what() + ": " + Wording.of(forged.packet());
            default -> Wording.inside(event).or(() -> Wording.detail(event)).orElseGet(() -> quietly(event));
        };
    }

    /** Describes an event without other text: {@code qp17 modified}. */
    private static String quietly(TraceEvent event) {
        String kind = kind(event);
        String what = kind.substring(kind.indexOf(':') + 1).replace('_', ' ');
        return event instanceof HcaEvent inside ? inside.element() + " " + what : what;
    }
}
