// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.export.RecordedMishaps;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sequence diagrams in two languages: the same lines in both, and none that a foreign text made. */
class DiagramsTest {
    private static final String MERMAID_LINE = "sequenceDiagram"
            + "|  participant \\w+( as [^;#<]*)?"
            + "|  (\\w+(->>|-x|-->>)\\w+|Note over \\w+): ([^;#<%]|#\\w+;|%(?!%))*";
    private static final String TEXT = "([\\p{L}\\p{Nd} .,:()'/+_-]|<U\\+[0-9A-F]{4,6}>)*";
    private static final String PLANTUML_LINE = "@startuml|@enduml"
            + "|participant \"" + TEXT + "\""
            + "|(\"" + TEXT + "\" (->>|->x|-->>) \"" + TEXT + "\"|note over \"" + TEXT + "\") : " + TEXT;

    private static TraceEvent told(long id, String port, String what) {
        return new TestkitEvent(new Stamp(id, id * 10, 0, 0), port, "process app", what);
    }

    private static List<String> kinds(Stream<String> lines, String lost, String answers) {
        return lines.map(line -> line.contains(lost)
                        ? "lost"
                        : line.contains(answers) ? "answer" : line.contains("->>") ? "message" : "note")
                .toList();
    }

    @Test
    void bothLanguagesTellTheSameLines() throws IOException {
        List<TraceEvent> run = RecordedMishaps.events();
        List<String> mermaid = Mermaid.of(run).lines().toList();
        List<String> plantUml = PlantUml.of(run).lines().toList();
        assertThat(mermaid.getFirst()).isEqualTo("sequenceDiagram");
        assertThat(plantUml.getFirst()).isEqualTo("@startuml");
        assertThat(plantUml.getLast()).isEqualTo("@enduml");
        assertThat(mermaid).contains("  participant a", "  participant b", "  participant c");
        assertThat(plantUml).contains("participant \"a\"", "participant \"b\"", "participant \"c\"");
        List<String> kinds = kinds(mermaid.stream().skip(4), "-x", "-->>");
        assertThat(kinds).contains("lost", "message", "note").hasSizeGreaterThan(100);
        assertThat(kinds(plantUml.stream().skip(4).limit(kinds.size()), "->x", "-->>"))
                .isEqualTo(kinds);
    }

    @Test
    void everyLineOfARunIsOneOfItsLanguage() throws IOException {
        List<TraceEvent> run = RecordedMishaps.events();
        assertThat(Mermaid.of(run).lines()).allMatch(line -> line.matches(MERMAID_LINE));
        assertThat(PlantUml.of(run).lines()).allMatch(line -> line.matches(PLANTUML_LINE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x\n@enduml\n!include /etc/passwd",
                "x; end",
                "# nothing",
                "%%{init: {'theme': 'dark'}}%%",
                "%getenv(\"HOME\") $x \\n <img:http://example.org/x> [[http://example.org]] ~",
                "/' a comment that swallows '/ all",
                "**bold** __under__ //slanted// \"\"mono\"\" ----",
                "x\r\u2028y\u0085z\u0000",
                "<script>alert(1)</script>"
            })
    void noTextOfATraceEndsItsLineOrIsParsed(String hostile) {
        List<TraceEvent> run = List.of(told(1, "a", hostile), told(2, hostile, "does nothing"), told(3, "end", "ends"));
        assertThat(Mermaid.of(run).lines()).hasSize(4).allMatch(line -> line.matches(MERMAID_LINE));
        assertThat(Mermaid.of(run)).doesNotContain("over end:");
        assertThat(PlantUml.of(run).lines()).hasSize(5).allMatch(line -> line.matches(PLANTUML_LINE));
    }

    @Test
    void lanesWithSimilarNamesStaySeparate() {
        List<TraceEvent> run = List.of(told(1, "a-b", "first"), told(2, "a_b", "second"), told(3, "a-b", "third"));
        assertThat(Mermaid.of(run).lines())
                .containsExactly(
                        "sequenceDiagram",
                        "  Note over a_b: ! first",
                        "  Note over a_b_2: ! second",
                        "  Note over a_b: ! third");
    }

    @Test
    void eventsThatDoNotFitAreCounted() throws IOException {
        List<TraceEvent> run = new ArrayList<>(RecordedMishaps.events());
        long last = run.getLast().stamp().id();
        for (int i = 1; i <= 2000; i++) {
            run.add(told(last + i, "a", "does something that takes many words, number " + i));
        }
        for (String text : List.of(Mermaid.of(run), PlantUml.of(run))) {
            assertThat(text.length()).isBetween(44_000, 45_100);
            assertThat(text).containsPattern("(?i)note over \"?a\"? ?: \\d+ more events");
        }
    }
}
