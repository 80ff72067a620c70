// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.AdapterEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;

/**
 * The message flow as a Mermaid sequence diagram; where a host brings pages in or takes them, has a
 * thread that is woken, or a program that tells what it does, it takes part. Mermaid refuses more
 * than 50,000 characters: what is beyond is counted.
 */
public final class Mermaid {
    private static final int MOST_CHARACTERS = 45_000;

    private Mermaid() {}

    public static String of(List<TraceEvent> events) {
        Fates fates = new Fates(events);
        StringBuilder text = new StringBuilder("sequenceDiagram\n");
        for (String port : fates.ports()) {
            text.append("  participant ").append(name(port)).append('\n');
        }
        HostLanes hosts = new HostLanes(events);
        WakeCalls calls = new WakeCalls(events);
        for (String port : hosts.ports()) {
            text.append("  participant %s as %s%n".formatted(host(port), HostLanes.name(port)));
        }
        int left = 0;
        for (TraceEvent event : events) {
            Optional<String> line = line(event, fates, hosts, calls);
            if (line.isPresent() && text.length() + line.get().length() > MOST_CHARACTERS) {
                left++;
            } else {
                line.ifPresent(text::append);
            }
        }
        if (left > 0 && !fates.ports().isEmpty()) {
            text.append("  Note over ").append(name(fates.ports().getFirst())).append(": ");
            text.append(left).append(" more events\n");
        }
        return text.toString();
    }

    private static Optional<String> line(TraceEvent event, Fates fates, HostLanes hosts, WakeCalls calls) {
        if (event instanceof FabricEvent sent && Lineage.isEntry(event)) {
            List<FabricEvent> fate = fates.of(sent);
            boolean arrives = fate.stream().anyMatch(FabricEvent.Delivered.class::isInstance);
            String to = name(fates.port(sent.packet().route().destination()));
            return Optional.of("  " + name(sent.port()) + (arrives ? "->>" : "-x") + to + ": "
                    + Wording.micros(sent.stamp().nanos()) + " us " + Wording.of(sent.packet())
                    + (sent instanceof FabricEvent.Forged ? ", forged" : "") + "\n");
        }
        if (calls.isTold(event)) {
            return Optional.empty();
        }
        if (event instanceof HcaEvent.NotifySent sent && hosts.ports().contains(sent.port())) {
            return Optional.of("  " + name(sent.port()) + (calls.arrives(sent) ? "->>" : "-x") + host(sent.port())
                    + ": " + sent.who() + " notifies " + calls.end(sent) + "\n");
        }
        if (event instanceof AdapterEvent inside) {
            return Wording.inside(event)
                    .map(text -> "  " + place(inside, hosts) + ": " + text.replace(";", ",") + "\n");
        }
        return Optional.empty();
    }

    /** What is asked of a host, and what it answers, are messages, too. */
    private static String place(AdapterEvent event, HostLanes hosts) {
        String port = name(event.port());
        String host = host(event.port());
        if (!hosts.has(event)) {
            return "Note over " + port;
        }
        return switch (event) {
            case HcaEvent.PageFaultRaised raised -> port + "->>" + host;
            case HcaEvent.PrefetchAccepted accepted -> port + "->>" + host;
            case HcaEvent inside when HostLanes.isAboutPages(inside) -> host + "-->>" + port;
            default -> "Note over " + host;
        };
    }

    /** No port's name: those have no blank in theirs. */
    private static String host(String port) {
        return name(port + " host");
    }

    private static String name(String port) {
        return port.replaceAll("[^A-Za-z0-9_]", "_");
    }
}
