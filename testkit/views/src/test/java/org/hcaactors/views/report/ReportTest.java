// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.flow.TestkitEvent;
import org.hcaactors.views.rlog.Rlog;
import org.hcaactors.views.rlog.RlogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportTest {
    private static final Path SOURCES = Path.of("src/main/resources/org/hcaactors/views/report");

    private static final String SCRIPT = "</script><script>window.pwned=1</script>";

    private static List<TraceEvent> mishaps() throws IOException {
        try (InputStream in = Files.newInputStream(Path.of("src/test/resources/recorded/mishaps-2.rlog"))) {
            return RlogReader.read(in).events();
        }
    }

    static JsonNode data(String html) throws IOException {
        Matcher block = Pattern.compile(
                        "<script type=\"application/json\" class=\"run\" data-run=\"\">(.*?)</script>", Pattern.DOTALL)
                .matcher(html);
        assertThat(block.find()).isTrue();
        return new ObjectMapper().readTree(block.group(1));
    }

    @Test
    void everyEventAndEveryPacketOccursOnce() throws IOException {
        List<TraceEvent> events = mishaps();
        JsonNode data = data(Report.html(Rlog.Header.of("mishaps"), events, 0));
        assertThat(data.at("/events/id")).hasSize(events.size());
        long sent = events.stream().filter(FabricEvent.Sent.class::isInstance).count();
        long entered = sent
                + events.stream().filter(FabricEvent.Forged.class::isInstance).count();
        List<Integer> from = new ArrayList<>();
        data.at("/ways/from").forEach(place -> from.add(place.asInt()));
        assertThat(from.stream().distinct()).hasSize((int) entered);
        assertThat(data.at("/packets/bytes").size()).isGreaterThanOrEqualTo((int) entered);
    }

    @Test
    void failuresAreExplained() throws IOException {
        List<TraceEvent> events = mishaps();
        JsonNode data = data(Report.html(Rlog.Header.of("mishaps"), events, 0));
        List<String> told = new ArrayList<>();
        data.at("/told")
                .forEach(one ->
                        told.add(data.at("/texts").get(one.at("/what").asInt()).asText()));
        assertThat(told)
                .containsAll(Explainer.of(events).failures().stream()
                        .map(failure -> StringTable.plain(failure.what()))
                        .toList());
    }

    @Test
    void namedEventsExistAndAreNotLater() throws IOException {
        JsonNode events =
                data(Report.html(Rlog.Header.of("mishaps"), mishaps(), 0)).at("/events");
        for (int i = 0; i < events.at("/id").size(); i++) {
            for (String column : List.of("cause", "other", "request")) {
                assertThat(events.get(column).get(i).asInt()).isBetween(0, i + 1);
            }
        }
    }

    @Test
    void equalEventsGiveEqualBytes() throws IOException {
        Rlog.Header header = new Rlog.Header("twice", OptionalLong.of(7), "faults = []");
        assertThat(Report.html(header, mishaps(), 3)).isEqualTo(Report.html(header, mishaps(), 3));
    }

    @Test
    void noTextOfAnEventIsParsedAsHtml() throws IOException {
        TraceEvent hostile =
                new TestkitEvent(new Stamp(1, 5, 0, 0), SCRIPT, SCRIPT, SCRIPT + "<img src=x onerror=alert(1)>");
        String html = Report.html(new Rlog.Header(SCRIPT, OptionalLong.of(7), SCRIPT), List.of(hostile), 0);
        assertThat(html).doesNotContain(SCRIPT).doesNotContain("<img");
        assertThat(html.split("<script", -1)).hasSize(4);
        assertThat(data(html).at("/title").asText()).isEqualTo(SCRIPT);
        assertThat(data(html).at("/texts").toString()).contains("window.pwned");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{{data}}", "{{scripts}}", "$1 \\1", "a & b"})
    void aTitleIsShownVerbatim(String title) throws IOException {
        String html = Report.html(Rlog.Header.of(title), mishaps(), 0);
        assertThat(html).contains("<title>" + title.replace("&", "&amp;") + "</title>");
        assertThat(data(html).at("/title").asText()).isEqualTo(title);
    }

    @Test
    void bidirectionalControlCharactersAreReplaced() {
        assertThat(StringTable.plain("a\u202Eb\u0007c\u2066d")).isEqualTo("a\uFFFDb\uFFFDc\uFFFDd");
        assertThat(StringTable.plain("line one\nline two")).isEqualTo("line one\nline two");
        assertThat(StringTable.plain("x".repeat(100_000)))
                .hasSize(StringTable.MAX_CHARACTERS)
                .endsWith("…");
    }

    @Test
    void thePolicyAllowsExactlyTheScriptsOfThePage() throws Exception {
        String html = Report.html(Rlog.Header.of("policy"), mishaps(), 0);
        Matcher policy = Pattern.compile("script-src ([^;]*);").matcher(html);
        assertThat(policy.find()).isTrue();
        List<String> hashes = new ArrayList<>();
        Matcher scripts =
                Pattern.compile("<script>(.*?)</script>", Pattern.DOTALL).matcher(html);
        while (scripts.find()) {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(scripts.group(1).getBytes(StandardCharsets.UTF_8));
            hashes.add("'sha256-" + Base64.getEncoder().encodeToString(digest) + "'");
        }
        assertThat(hashes).hasSize(2);
        assertThat(policy.group(1).split(" ")).containsExactlyElementsOf(hashes);
        assertThat(html).contains("default-src 'none'");
    }

    @Test
    void noScriptMakesHtmlOrCodeOutOfText() throws IOException {
        try (Stream<Path> files = Files.list(SOURCES)) {
            for (Path file : files.filter(one -> one.toString().endsWith(".js")).toList()) {
                assertThat(Files.readString(file))
                        .as(file.toString())
                        .doesNotContain(
                                "innerHTML",
                                "outerHTML",
                                "insertAdjacentHTML",
                                "document.write",
                                "eval(",
                                "new Function",
                                "javascript:",
                                "</script",
                                "{{");
            }
        }
    }

    @Test
    void theNewestEventsAreShownAndTheOthersCounted() throws IOException {
        List<TraceEvent> events = new ArrayList<>();
        for (int i = 1; i <= 12; i++) {
            events.add(new TestkitEvent(new Stamp(i, i, 0, 0), "a", "device", "something"));
        }
        JsonNode data = data(Report.html(Rlog.Header.of("long"), events, events, 10, 7));
        assertThat(data.at("/left").asLong()).isEqualTo(15);
        assertThat(data.at("/events/id")).hasSize(7);
        assertThat(data.at("/events/id").get(0).asLong()).isEqualTo(6);
    }

    @Test
    void aReportOfAPartShowsOnlyFactsOfTheWhole() throws IOException {
        List<TraceEvent> all = mishaps();
        int count = 0;
        List<String> whole = told(data(Report.html(Rlog.Header.of("whole"), all, 0)));
        for (int from = 0; from < all.size(); from += all.size() / 4) {
            List<TraceEvent> part = all.subList(from, Math.min(all.size(), from + all.size() / 4));
            JsonNode data = data(Report.html(Rlog.Header.of("part"), all, part, 3));
            assertThat(data.at("/events/id")).hasSize(part.size());
            assertThat(data.at("/left").asLong()).isEqualTo(3 + all.size() - part.size());
            assertThat(told(data)).isSubsetOf(whole);
            count += told(data).size();
        }
        assertThat(count).isPositive();
    }

    private static List<String> told(JsonNode data) {
        List<String> told = new ArrayList<>();
        data.at("/told")
                .forEach(one ->
                        told.add(data.at("/texts").get(one.at("/what").asInt()).asText()));
        return told;
    }

    /** Each is named by the two behind it: by both causes there are more ways through them than anybody can go. */
    @Test
    @Timeout(20)
    void aPacketHasOnePastForEveryForeignTrace() throws IOException {
        List<TraceEvent> events = new ArrayList<>();
        FabricEvent.Sent sent = mishaps().stream()
                .filter(FabricEvent.Sent.class::isInstance)
                .map(FabricEvent.Sent.class::cast)
                .findFirst()
                .orElseThrow();
        events.add(new FabricEvent.Sent(new Stamp(1, 0, 0, 0), "a", sent.element(), sent.packet()));
        for (int i = 2; i <= 80; i++) {
            events.add(new FabricEvent.Disturbed(
                    new Stamp(i, i, i - 1, Math.max(0, i - 2)),
                    "a",
                    sent.packet(),
                    FabricEvent.Disturbed.How.DELAYED,
                    "delayed"));
        }
        events.add(new FabricEvent.Delivered(new Stamp(81, 81, 80, 0), "b", sent.packet()));
        assertThat(data(Report.html(Rlog.Header.of("ways"), events, 0)).at("/ways/from"))
                .hasSize(1);
    }

    @Test
    void numbersBeyondJavaScriptsRangeAreTexts() throws IOException {
        TraceEvent late = new TestkitEvent(new Stamp(Long.MAX_VALUE, 5, 0, 0), "a", "device", "late");
        JsonNode id =
                data(Report.html(Rlog.Header.of("late"), List.of(late), 0)).at("/events/id/0");
        assertThat(id.isTextual()).isTrue();
        assertThat(id.asText()).isEqualTo(Long.toString(Long.MAX_VALUE));
    }

    @Test
    void aGalleryHoldsEachRunUnderItsName() throws IOException {
        SequencedMap<String, Rlog> runs = new LinkedHashMap<>();
        Rlog run = new Rlog(Rlog.Header.of("mishaps"), mishaps(), 0, Optional.empty());
        runs.put("one", run);
        runs.put("two \"<b>\"", run);
        String html = Report.gallery("both", runs);
        assertThat(html).contains("data-run=\"one\"", "data-run=\"two &quot;&lt;b&gt;&quot;\"", "<title>both</title>");
        assertThat(html.split("class=\"run\"", -1)).hasSize(3);
    }

    @Test
    void aRunInWhichNothingHappenedIsAReport() throws IOException {
        assertThat(data(Report.html(Rlog.Header.of("nothing"), List.of(), 0)).at("/events/id"))
                .isEmpty();
    }
}
