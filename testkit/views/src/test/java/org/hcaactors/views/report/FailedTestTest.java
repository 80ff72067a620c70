// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.export.RecordedMishaps;
import org.hcaactors.views.flow.TestkitEvent;
import org.hcaactors.views.report.FailedTest.Fact;
import org.hcaactors.views.rlog.Rlog;
import org.junit.jupiter.api.Test;

/** Contents of the report of a failed test. */
class FailedTestTest {
    private static final FailedTest TEST = new FailedTest(
            "A.b",
            "[balance] 60",
            "A(A.java:3), seed 0",
            "mvn test",
            List.of(new Fact("injected", "0 times")),
            List.of("f"));

    private static FailedRun run(String name, List<TraceEvent> events) {
        return new FailedRun(name, Rlog.Header.of(name), events, 0, OptionalLong.empty());
    }

    private static List<TraceEvent> said(int count, String element) {
        List<TraceEvent> events = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            events.add(new TestkitEvent(new Stamp(i, i, 0, 0), "a", element, "puts " + i));
        }
        return events;
    }

    private static JsonNode json(String html, String block) throws IOException {
        Matcher found = Pattern.compile(
                        "<script type=\"application/json\" " + block + ">(.*?)</script>", Pattern.DOTALL)
                .matcher(html);
        assertThat(found.find()).as(block).isTrue();
        return new ObjectMapper().readTree(found.group(1));
    }

    private static JsonNode scene(String html, String run) throws IOException {
        return json(html, "class=\"run\" data-run=\"" + run + "\"");
    }

    @Test
    void theReportHasTheMessageAndTheLengthOfEveryRun() throws IOException {
        String html =
                Report.ofFailure(TEST, List.of(run("minimal", said(2, "device")), run("whole", said(5, "device"))));
        JsonNode test = json(html, "id=\"failed-test\"");
        assertThat(test.toString())
                .contains("\"assertion\":\"[balance] 60\"", "\"line\":\"A(A.java:3), seed 0\"")
                .contains("\"facts\":[[\"injected\",\"0 times\"]]", "\"files\":[\"f\"]")
                .contains("\"runs\":[[\"minimal\",2],[\"whole\",5]]");
        assertThat(html).contains("<title>A.b failed</title>");
        assertThat(html.indexOf("data-run=\"minimal\"")).isLessThan(html.indexOf("data-run=\"whole\""));
    }

    @Test
    void theRunsOfAReportShareItsLimitOfEvents() throws IOException {
        String html =
                Report.ofFailure(TEST, List.of(run("minimal", said(6, "device")), run("whole", said(9, "device"))), 10);
        assertThat(scene(html, "minimal").at("/events/id")).hasSize(6);
        assertThat(scene(html, "whole").at("/events/id")).hasSize(4);
        assertThat(scene(html, "whole").at("/left").asInt()).isEqualTo(5);
        assertThat(scene(html, "whole").at("/events/id/0").asInt()).isEqualTo(6);
    }

    @Test
    void factsAndTheirLengthAreBounded() throws IOException {
        FailedTest test = new FailedTest(
                "A.b",
                "x".repeat(100_000),
                "",
                "",
                Collections.nCopies(1000, new Fact("fault", "y".repeat(100_000))),
                Collections.nCopies(1000, "f"));
        JsonNode json = json(Report.ofFailure(test, List.of(run("whole", List.of()))), "id=\"failed-test\"");
        assertThat(json.at("/facts")).hasSize(FailedTest.MAX);
        assertThat(json.at("/files")).hasSize(FailedTest.MAX);
        assertThat(json.toString()).hasSizeLessThan((FailedTest.MAX + 2) * StringTable.MAX_CHARACTERS);
    }

    @Test
    void theViolationIsExplainedFirst() throws IOException {
        List<TraceEvent> events = RecordedMishaps.events();
        TraceEvent last = events.reversed().stream()
                .filter(HcaEvent.Completed.class::isInstance)
                .findFirst()
                .orElseThrow();
        long id = last.stamp().id();
        String html = Report.ofFailure(
                TEST, List.of(new FailedRun("whole", Rlog.Header.of("x"), events, 0, OptionalLong.of(id))));
        JsonNode scene = scene(html, "whole");
        assertThat(scene.at("/broken").asInt()).isEqualTo(events.indexOf(last) + 1);
        assertThat(scene.at("/told/0/how").asText()).isEqualTo("broken");
        assertThat(scene.at("/told/0/event").asInt())
                .isEqualTo(scene.at("/broken").asInt());
    }

    @Test
    void noTextOfATestIsParsedAsHtml() throws IOException {
        String hostile = "</script><script>window.pwned=1</script>";
        FailedTest test = new FailedTest(
                hostile, hostile, hostile, hostile, List.of(new Fact(hostile, hostile)), List.of(hostile));
        String html = Report.ofFailure(test, List.of(run(hostile, List.of())));
        assertThat(html).doesNotContain(hostile);
        assertThat(json(html, "id=\"failed-test\"").at("/facts/0/1").asText()).isEqualTo(hostile);
    }

    @Test
    void aProgramThatReportsItsActionsHasALane() throws IOException {
        JsonNode scene = scene(Report.ofFailure(TEST, List.of(run("whole", said(1, "program store")))), "whole");
        int room = scene.at("/lanes/room/0").asInt();
        assertThat(scene.at("/lanes/rooms").get(room).asText()).isEqualTo("programs");
        int name = scene.at("/lanes/name/0").asInt();
        assertThat(scene.at("/texts").get(name).asText()).isEqualTo("program store");
    }
}
