// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.AdapterEvent;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.TestkitEvent;

/** Lanes of a report: one for each part of each adapter that has events, and one for each host. */
final class Lanes {
    /** The queue pair number of datagrams to a multicast group. */
    private static final int GROUP = 0xFF_FFFF;

    /** Position of a lane within its adapter, from the program to the wire. */
    enum LaneGroup {
        PROGRAM,
        HOST,
        TRANSLATORS,
        COMPLETION_QUEUES,
        SHARED_RECEIVES,
        QUEUE_PAIRS,
        RESPONDERS,
        ADAPTER;

        static LaneGroup of(Element element) {
            return switch (element.kind()) {
                case QUEUE_PAIR -> QUEUE_PAIRS;
                case COMPLETION_QUEUE -> COMPLETION_QUEUES;
                case SHARED_RECEIVE_QUEUE -> SHARED_RECEIVES;
                case WAITER -> HOST;
                case RESPONDER -> RESPONDERS;
                case KEY -> TRANSLATORS;
                case PORT, DEVICE -> ADAPTER;
            };
        }
    }

    private record Lane(String port, LaneGroup group, String name) {}

    private final Map<Lane, Integer> numbers = new LinkedHashMap<>();

    int of(TraceEvent event) {
        return switch (event) {
            case FabricEvent.Sent sent -> of(sent.port(), sent.element());
            case FabricEvent.Delivered delivered ->
                ofDestination(delivered.port(), delivered.packet().bth().destQp());
            case FabricEvent.Corrupted corrupted ->
                ofDestination(corrupted.port(), corrupted.packet().bth().destQp());
            case FabricEvent.Forged forged -> of(forged.port(), new Element(Element.Kind.PORT, 0));
            case FabricEvent.Dropped dropped -> of(dropped.port(), new Element(Element.Kind.PORT, 0));
            case FabricEvent.Disturbed disturbed -> of(disturbed.port(), new Element(Element.Kind.PORT, 0));
            case AdapterEvent inside -> of(inside);
        };
    }

    private int of(AdapterEvent inside) {
        return switch (inside) {
            case HcaEvent event -> of(event.port(), event.element());
            case TestkitEvent bench -> ofBench(bench);
            default -> of(inside.port(), new Element(Element.Kind.DEVICE, 0));
        };
    }

    private int ofBench(TestkitEvent bench) {
        Optional<Element> element = Element.parse(bench.element());
        if (element.isPresent()) {
            return of(bench.port(), element.get());
        }
        if (bench.isOfProgram()) {
            return number(new Lane(bench.port(), LaneGroup.PROGRAM, bench.element()));
        }
        return number(new Lane(bench.port(), LaneGroup.HOST, "host"));
    }

    int of(String port, Element element) {
        return number(new Lane(port, LaneGroup.of(element), element.toString()));
    }

    /** Returns the lane at which packets to that queue pair arrive. */
    int ofDestination(String port, int queuePair) {
        return queuePair == GROUP
                ? of(port, new Element(Element.Kind.PORT, 0))
                : of(port, Element.queuePair(queuePair));
    }

    private int number(Lane lane) {
        return numbers.computeIfAbsent(lane, any -> numbers.size());
    }

    /** Returns the columns adapter, position and name. */
    ObjectNode toJson(StringTable texts) {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        ArrayNode rooms = all.putArray("rooms");
        for (LaneGroup group : LaneGroup.values()) {
            rooms.add(words(group));
        }
        ArrayNode adapter = all.putArray("adapter");
        ArrayNode room = all.putArray("room");
        ArrayNode name = all.putArray("name");
        List<Lane> lanes = new ArrayList<>(numbers.keySet());
        for (Lane lane : lanes) {
            adapter.add(texts.number(lane.port()));
            room.add(lane.group().ordinal());
            name.add(texts.number(lane.name()));
        }
        return all;
    }

    private static String words(LaneGroup group) {
        return switch (group) {
            case PROGRAM -> "programs";
            case HOST -> "host";
            case TRANSLATORS -> "keys";
            case COMPLETION_QUEUES -> "CQs";
            case SHARED_RECEIVES -> "SRQs";
            case QUEUE_PAIRS -> "QPs";
            case RESPONDERS -> "responders";
            case ADAPTER -> "adapter";
        };
    }
}
