// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.flow.AdapterEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;

/** The message flow as a Mermaid sequence diagram. Mermaid refuses more than 50,000 characters: what is beyond is counted. */
public final class Mermaid {
    private static final int MOST_CHARACTERS = 45_000;

    private Mermaid() {}

    public static String of(List<TraceEvent> events) {
        Fates fates = new Fates(events);
        StringBuilder text = new StringBuilder("sequenceDiagram\n");
        for (String port : fates.ports()) {
            text.append("  participant ").append(name(port)).append('\n');
        }
        int left = 0;
        for (TraceEvent event : events) {
            Optional<String> line = line(event, fates);
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

    private static Optional<String> line(TraceEvent event, Fates fates) {
        if (event instanceof FabricEvent sent && Lineage.isEntry(event)) {
            List<FabricEvent> fate = fates.of(sent);
            boolean arrives = fate.stream().anyMatch(FabricEvent.Delivered.class::isInstance);
            String to = name(fates.port(sent.packet().route().destination()));
            return Optional.of("  " + name(sent.port()) + (arrives ? "->>" : "-x") + to + ": "
                    + Wording.micros(sent.stamp().nanos()) + " us " + Wording.of(sent.packet())
                    + (sent instanceof FabricEvent.Forged ? ", forged" : "") + "\n");
        }
        if (event instanceof AdapterEvent inside) {
            return Wording.inside(event)
                    .map(text -> "  Note over " + name(inside.port()) + ": " + text.replace(";", ",") + "\n");
        }
        return Optional.empty();
    }

    private static String name(String port) {
        return port.replaceAll("[^A-Za-z0-9_]", "_");
    }
}
