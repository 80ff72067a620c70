// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.AdapterEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;

/**
 * Content of a sequence diagram, independent of its syntax: participants, and a line for each event that is shown. A host
 * participates if it maps or invalidates pages, has a thread that is woken, or has a program that reports actions.
 */
final class Diagram {
    /**
     * A participant.
     *
     * @param name unique name, any text
     * @param label displayed text, if it is not the name
     */
    record Lane(String name, Optional<String> label) {}

    /** Style of a message's arrow. */
    enum Way {
        ARRIVES,
        IS_LOST,
        ANSWERS
    }

    /** A line of the diagram. Its text may be from a recorded file and must be escaped. */
    sealed interface Line {
        String text();
    }

    record Message(String from, String to, Way way, String text) implements Line {}

    record Note(String over, String text) implements Line {}

    private final List<TraceEvent> events;
    private final PacketFates fates;
    private final HostLanes hosts;
    private final WakeCalls calls;

    Diagram(List<TraceEvent> events) {
        this.events = events;
        fates = new PacketFates(events);
        hosts = new HostLanes(events);
        calls = new WakeCalls(events);
    }

    /** Returns ports that sent packets, then hosts. Lines may also name a port that only receives. */
    List<Lane> lanes() {
        List<Lane> lanes = new ArrayList<>();
        fates.ports().forEach(port -> lanes.add(new Lane(port, Optional.empty())));
        hosts.ports().forEach(port -> lanes.add(new Lane(host(port), Optional.of(HostLanes.name(port)))));
        return lanes;
    }

    List<Line> lines() {
        return events.stream().flatMap(event -> line(event).stream()).toList();
    }

    /** Returns the participant for the note about omitted lines; empty if no packet was sent. */
    Optional<String> firstPort() {
        return fates.ports().stream().findFirst();
    }

    private Optional<Line> line(TraceEvent event) {
        if (event instanceof FabricEvent packet && Lineage.isEntry(event)) {
            return Optional.of(packet(packet));
        }
        if (calls.isDrawn(event)) {
            return Optional.empty();
        }
        if (event instanceof HcaEvent.NotifySent sent && hosts.ports().contains(sent.port())) {
            return Optional.of(new Message(
                    sent.port(),
                    host(sent.port()),
                    calls.arrives(sent) ? Way.ARRIVES : Way.IS_LOST,
                    sent.element() + " notifies " + calls.end(sent)));
        }
        if (event instanceof AdapterEvent inside) {
            return Wording.inside(event).map(text -> inside(inside, text));
        }
        return Optional.empty();
    }

    private Message packet(FabricEvent entry) {
        boolean arrives = fates.of(entry).stream().anyMatch(FabricEvent.Delivered.class::isInstance);
        return new Message(
                entry.port(),
                fates.port(entry.packet().route().destination()),
                arrives ? Way.ARRIVES : Way.IS_LOST,
                Wording.micros(entry.stamp().nanos()) + " us " + Wording.of(entry.packet())
                        + (entry instanceof FabricEvent.Forged ? ", forged" : ""));
    }

    /** Page requests to a host, and its answers, are drawn as messages. */
    private Line inside(AdapterEvent event, String text) {
        String port = event.port();
        if (!hosts.has(event)) {
            return new Note(port, text);
        }
        return switch (event) {
            case HcaEvent.PageFaultRaised raised -> new Message(port, host(port), Way.ARRIVES, text);
            case HcaEvent.PrefetchAccepted accepted -> new Message(port, host(port), Way.ARRIVES, text);
            case HcaEvent inside
            when HostLanes.isAboutPages(inside) -> new Message(host(port), port, Way.ANSWERS, text);
            default -> new Note(host(port), text);
        };
    }

    /** Returns the host's name, which is no port's name: port names contain no blank. */
    private static String host(String port) {
        return port + " host";
    }
}
