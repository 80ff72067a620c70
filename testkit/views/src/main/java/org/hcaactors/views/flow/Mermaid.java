// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.hcaactors.fabric.flow.TraceEvent;

/**
 * A Mermaid sequence diagram of at most 50,000 characters, which is Mermaid's limit. Texts of the trace are escaped: they
 * cannot end a line or be read as syntax.
 */
public final class Mermaid {
    private final Map<String, String> ids = new LinkedHashMap<>();
    private final Set<String> taken = new HashSet<>();

    private Mermaid() {}

    public static String of(List<TraceEvent> events) {
        return new Mermaid().text(new Diagram(events));
    }

    private String text(Diagram diagram) {
        DiagramText text = new DiagramText("sequenceDiagram\n");
        for (Diagram.Lane lane : diagram.lanes()) {
            text.declare("  participant " + id(lane.name())
                    + lane.label().map(label -> " as " + plain(label)).orElse(""));
        }
        diagram.lines().forEach(line -> text.add(written(line)));
        text.rest()
                .ifPresent(rest ->
                        diagram.firstPort().ifPresent(port -> text.declare("  Note over " + id(port) + ": " + rest)));
        return text.toString();
    }

    private String written(Diagram.Line line) {
        return switch (line) {
            case Diagram.Message message ->
                "  " + id(message.from()) + arrow(message.way()) + id(message.to()) + ": " + plain(message.text());
            case Diagram.Note note -> "  Note over " + id(note.over()) + ": " + plain(note.text());
        };
    }

    private static String arrow(Diagram.Way way) {
        return switch (way) {
            case ARRIVES -> "->>";
            case IS_LOST -> "-x";
            case ANSWERS -> "-->>";
        };
    }

    private String id(String lane) {
        return ids.computeIfAbsent(lane, this::free);
    }

    /** Two names may be the same after the replacement; and {@code end} is a keyword. */
    private String free(String lane) {
        String name = lane.replaceAll("[^A-Za-z0-9_]", "_");
        String id = name.toLowerCase(Locale.ROOT).equals("end") ? name + "_" : name;
        for (int i = 2; !taken.add(id); i++) {
            id = name + "_" + i;
        }
        return id;
    }

    /** Escapes a text: a semicolon ends a line, a number sign begins a comment, and two percent signs begin a directive. */
    private static String plain(String text) {
        return text.replaceAll("\\R|\\p{Cntrl}", " ")
                .replace(';', ',')
                .replace("#", "#35;")
                .replace("<", "#lt;")
                .replaceAll("%(?=%)", "% ");
    }
}
