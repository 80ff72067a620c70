// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hcaactors.fabric.flow.TraceEvent;

/**
 * The message flow as a PlantUML sequence diagram; what is beyond 45,000 characters is counted. No text of the trace ends its line, or
 * is read as anything but text: PlantUML would carry out what looks like one of its functions, and load what looks like a picture.
 */
public final class PlantUml {
    /** Beside letters and digits: what it shows as it stands, unless it is doubled. */
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

    /** It goes by its label: what is quoted has no other name. */
    private String quoted(String lane) {
        return '"' + plain(labels.getOrDefault(lane, lane)) + '"';
    }

    /** What could be markup stands there by its number: two of a kind are a style, and an apostrophe behind a slash is a comment. */
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
