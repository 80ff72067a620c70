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
 * What a sequence diagram of a run shows, in whichever language it is written: who takes part, and a line for each event that it
 * has one for. Where a host brings pages in or takes them, has a thread that is woken, or a program that tells what it does, it
 * takes part.
 */
final class Diagram {
    /**
     * Who takes part.
     *
     * @param name no other one's, and any text
     * @param label what is shown, where that is not the name
     */
    record Lane(String name, Optional<String> label) {}

    /** What a message's arrow looks like. */
    enum Way {
        ARRIVES,
        IS_LOST,
        ANSWERS
    }

    /** A line of the diagram; its text is one that a recorded file may have brought. */
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

    /** Ports that sent anything, then hosts. A line may be about another one: a port that is only sent to. */
    List<Lane> lanes() {
        List<Lane> lanes = new ArrayList<>();
        fates.ports().forEach(port -> lanes.add(new Lane(port, Optional.empty())));
        hosts.ports().forEach(port -> lanes.add(new Lane(host(port), Optional.of(HostLanes.name(port)))));
        return lanes;
    }

    List<Line> lines() {
        return events.stream().flatMap(event -> line(event).stream()).toList();
    }

    /** Where what did not fit is told; empty where nobody sent anything. */
    Optional<String> firstPort() {
        return fates.ports().stream().findFirst();
    }

    private Optional<Line> line(TraceEvent event) {
        if (event instanceof FabricEvent packet && Lineage.isEntry(event)) {
            return Optional.of(packet(packet));
        }
        if (calls.isTold(event)) {
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

    /** What is asked of a host, and what it answers, are messages, too. */
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

    /** No port's name: those have no blank in theirs. */
    private static String host(String port) {
        return port + " host";
    }
}
