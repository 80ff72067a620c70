// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hcaactors.fabric.flow.TraceEvent;

/**
 * A PlantUML sequence diagram; lines beyond 45,000 characters are only counted. Texts of the trace are escaped: they cannot end
 * a line or be read as syntax. PlantUML would otherwise execute text that looks like one of its functions, and load what looks
 * like a picture.
 */
public final class PlantUml {
    /** Characters besides letters and digits that are shown as they are, unless doubled. */
    private static final String PLAIN = " .,:()'/+-_";

    private final Map<String, String> labels = new HashMap<>();

    private PlantUml() {}

    public static String of(List<TraceEvent> events) {
        return new PlantUml().text(new Diagram(events));
    }

    private String text(Diagram diagram) {
        DiagramText text = new DiagramText("@startuml\n");
        for (Diagram.Lane lane : diagram.lanes()) {
            lane.label().ifPresent(label -> labels.put(lane.name(), label));
            text.declare("participant " + quoted(lane.name()));
        }
        diagram.lines().forEach(line -> text.add(written(line)));
        text.rest()
                .ifPresent(rest -> diagram.firstPort()
                        .ifPresent(port -> text.declare("note over " + quoted(port) + " : " + rest)));
        text.declare("@enduml");
        return text.toString();
    }

    private String written(Diagram.Line line) {
        return switch (line) {
            case Diagram.Message message ->
                quoted(message.from()) + " " + arrow(message.way()) + " " + quoted(message.to()) + " : "
                        + plain(message.text());
            case Diagram.Note note -> "note over " + quoted(note.over()) + " : " + plain(note.text());
        };
    }

    private static String arrow(Diagram.Way way) {
        return switch (way) {
            case ARRIVES -> "->>";
            case IS_LOST -> "->x";
            case ANSWERS -> "-->>";
        };
    }

    /** Returns the quoted label, as a quoted participant has no other name. */
    private String quoted(String lane) {
        return '"' + plain(labels.getOrDefault(lane, lane)) + '"';
    }

    /**
     * Escapes characters that could be markup by their code points: two equal ones are a style, and an apostrophe after a slash
     * begins a comment.
     */
    private static String plain(String text) {
        StringBuilder plain = new StringBuilder();
        int before = 0;
        for (int at : text.codePoints().toArray()) {
            boolean shown = Character.isLetterOrDigit(at)
                    || at == ' '
                    || PLAIN.indexOf(at) >= 0 && at != before && !(at == '\'' && before == '/');
            if (shown) {
                plain.appendCodePoint(at);
            } else if (Character.isWhitespace(at) || Character.isISOControl(at)) {
                plain.append(' ');
            } else {
                plain.append("<U+%04X>".formatted(at));
            }
            before = at;
        }
        return plain.toString();
    }
}
