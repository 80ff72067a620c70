// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.AdapterEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;

/**
 * A sequence diagram as text: time runs down, each port is a lane, each packet an arrow from its sender, with the time of its
 * arrival or the reason why it did not arrive. A host has a lane if it maps or invalidates pages, has a thread that is woken,
 * or has a program that reports actions.
 */
public final class Ladder {
    /** The queue pair number of datagrams to a multicast group. */
    private static final int GROUP = 0xFF_FFFF;

    private static final int TIME = 12;
    private static final int LANE = 52;

    private final PacketFates fates;
    private final List<String> ports;
    private final HostLanes hosts;
    private final WakeCalls calls;
    private final List<TraceEvent> events;
    private final boolean detailed;

    /**
     * @param all events from which ports and packet fates are known
     * @param present events whose participants have lanes
     * @param drawn the events to draw, which are part of both
     */
    private Ladder(List<TraceEvent> all, List<TraceEvent> present, List<TraceEvent> drawn, boolean detailed) {
        this.events = drawn;
        this.detailed = detailed;
        this.fates = new PacketFates(all);
        this.ports = List.copyOf(ports(present));
        this.hosts = new HostLanes(present);
        this.calls = new WakeCalls(all);
    }

    /** Returns every port that sends packets or whose adapter has events. */
    public static SortedSet<String> ports(List<TraceEvent> events) {
        SortedSet<String> names = new TreeSet<>();
        for (TraceEvent event : events) {
            if (event instanceof AdapterEvent inside) {
                names.add(inside.port());
            } else if (event instanceof FabricEvent.Sent sent) {
                names.add(sent.port());
            }
        }
        return names;
    }

    /** Draws one line per event, under a line with the names of the ports. */
    public static List<String> of(List<TraceEvent> events) {
        return new Ladder(events, events, events, false).lines();
    }

    /** Draws the events that a ladder of a whole run omits, too: receives, completion queue entries. */
    public static List<String> detailed(List<TraceEvent> events) {
        return new Ladder(events, events, events, true).lines();
    }

    /** Draws some events of a run, with the lanes of all and the fates of their packets. */
    public static List<String> part(List<TraceEvent> all, List<TraceEvent> drawn, boolean detailed) {
        return new Ladder(all, all, drawn, detailed).lines();
    }

    /** Draws some events of a run, with lanes only for the participants of {@code present}. */
    public static List<String> part(List<TraceEvent> all, List<TraceEvent> present, List<TraceEvent> drawn) {
        return new Ladder(all, present, drawn, false).lines();
    }

    private List<String> lines() {
        List<String> lines = new ArrayList<>();
        Line head = new Line();
        head.put(0, "%9s us".formatted("time"));
        for (String port : ports) {
            head.put(x(port), port);
            if (hosts.ports().contains(port)) {
                head.put(xOfHost(port), HostLanes.name(port));
            }
        }
        lines.add(head.toString());
        for (TraceEvent event : events) {
            line(event).ifPresent(lines::add);
        }
        return lines;
    }

    private Optional<String> line(TraceEvent event) {
        Line line = new Line();
        line.put(0, "%12s".formatted(Wording.micros(event.stamp().nanos())));
        if (event instanceof FabricEvent packet && Lineage.isEntry(event)) {
            arrow(line, packet);
            return Optional.of(line.toString());
        }
        if (!(event instanceof AdapterEvent at) || calls.isDrawn(event)) {
            return Optional.empty();
        }
        if (event instanceof HcaEvent.NotifySent sent && hosts.ports().contains(sent.port())) {
            call(line, sent);
            return Optional.of(line.toString());
        }
        boolean closely = detailed || calls.isOfInterest(at);
        Optional<String> inside = Wording.inside(event).or(() -> closely ? Wording.detail(event) : Optional.empty());
        if (inside.isEmpty()) {
            return Optional.empty();
        }
        line.put(hosts.has(at) ? xOfHost(at.port()) : x(at.port()), "· " + inside.get());
        return Optional.of(line.toString());
    }

    /** Draws a notification of a completion queue to its thread. */
    private void call(Line line, HcaEvent.NotifySent sent) {
        String label = "├─ " + sent.element() + " notifies ";
        String shaft = "─".repeat(Math.max(1, LANE / 2 - 2 - label.length()));
        line.put(x(sent.port()), label + shaft + (calls.arrives(sent) ? "▶" : "✗"));
        line.put(xOfHost(sent.port()), calls.end(sent));
    }

    private int x(String port) {
        return TIME + 2 + Math.max(0, ports.indexOf(port)) * LANE;
    }

    /** Returns the column of a host's lane, next to its adapter's, where only arrows pass. */
    private int xOfHost(String port) {
        return x(port) + LANE / 2;
    }

    private void arrow(Line line, FabricEvent sent) {
        int from = x(sent.port());
        int to = x(fates.port(sent.packet().route().destination()));
        boolean right = to >= from;
        int left = Math.min(from, to);
        int width = Math.max(Math.abs(to - from), LANE) - 1;
        String label = " " + Wording.of(sent.packet()) + " ";
        List<FabricEvent> fate = fates.of(sent);
        boolean arrives = fate.stream().anyMatch(FabricEvent.Delivered.class::isInstance);
        String shaft = "─".repeat(Math.max(2, width - label.length() - 2));
        String body = right
                ? "├─" + label + shaft.substring(0, shaft.length() - 1) + (arrives ? "▶" : "✗")
                : (arrives ? "◀" : "✗") + shaft.substring(1) + label + "─┤";
        line.put(left, body);
        line.put(
                Math.max(left + body.length(), x(ports.isEmpty() ? sent.port() : ports.getLast())) + 2,
                fateText(sent, fate));
    }

    private String fateText(FabricEvent sent, List<FabricEvent> fate) {
        List<String> lines = new ArrayList<>();
        if (sent instanceof FabricEvent.Forged forged) {
            lines.add(forged.what());
        }
        for (FabricEvent event : fate) {
            switch (event) {
                case FabricEvent.Delivered delivered ->
                    lines.add("arrives " + Wording.micros(delivered.stamp().nanos()));
                case FabricEvent.Dropped dropped -> lines.add(dropped.reason());
                case FabricEvent.Disturbed disturbed -> lines.add(disturbed.what());
                case FabricEvent.Corrupted corrupted -> lines.add("bad ICRC: " + corrupted.what());
                case FabricEvent.Sent again ->
                    throw new IllegalStateException("one journey contains a second Sent event: " + again);
                case FabricEvent.Forged other ->
                    throw new IllegalStateException("one journey contains an event of a forged packet: " + other);
            }
        }
        if (fate.isEmpty()) {
            lines.add("still on its way");
        }
        int to = sent.packet().bth().destQp();
        return (to == GROUP ? "group" : "qp" + to) + " " + String.join("; ", lines);
    }

    /** A line that is written from left to right at given columns. */
    private static final class Line {
        private final StringBuilder text = new StringBuilder();

        void put(int column, String part) {
            while (text.length() < column) {
                text.append(' ');
            }
            if (text.length() > column) {
                text.append(' ');
            }
            text.append(part);
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
