// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.TestkitEvent;
import org.hcaactors.views.rlog.Rlog;
import org.hcaactors.views.rlog.RlogReader;
import org.hcaactors.views.rlog.RlogWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Checks that names and reasons of an untrusted recorded run are treated as text: none of it is executed, and all of it is
 * shown.
 */
@ExtendWith(Chromium.class)
class HostileTraceTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final int LONG = 100_000;

    /** Number of characters of a text that must be shown; it may be cut after them. */
    private static final int READ = 1000;

    private static final List<String> TEXTS = List.of(
            "</script><script>window.pwned=1</script>",
            "</title></style><script>window.pwned=1</script>",
            "<!--<script>window.pwned=1</script>",
            "--><img src=x onerror=window.pwned=1>",
            "]]><svg onload=window.pwned=1>",
            "'\"`><img src=x onerror=window.pwned=1>",
            "${window.pwned=1}\\u003cimg src=x onerror=window.pwned=1>\\",
            "line\u2028separator\u2029window.pwned=1//",
            "\u202Edetrever\u2066isolated\uFEFF",
            "half \uD800 a character \uDC00",
            "javascript:window.pwned=1",
            "&lt;b&gt;&amp;&#60;",
            "{{data}} {{scripts}} {{styles}} {{library}} {{policy}}",
            "__proto__",
            "constructor",
            "hasOwnProperty",
            "x".repeat(LONG));

    /**
     * Returns the shown form of a text: characters that change direction or break lines, and unpaired surrogates, are replaced
     * by a mark.
     */
    private static String plain(String text) {
        return text.replaceAll("[\u202E\u2066\uFEFF\u2028\u2029]|\uD800|\uDC00", "\uFFFD");
    }

    /** Returns a normal run with hostile adapter names, title and packet fates, and with a fault on an adapter of each name. */
    private static Recording hostile() throws IOException {
        Recording honest = Recording.ofGallery("02-lost-packet");
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        RlogWriter.write(honest.header(), honest.events(), 0, file);
        StringBuilder changed = new StringBuilder();
        for (String each : file.toString(StandardCharsets.UTF_8).substring(1).split("\u001e", -1)) {
            ObjectNode node = (ObjectNode) JSON.readTree(each);
            if (node.has("port")) {
                node.put("port", node.get("port").asText().equals("a") ? TEXTS.getFirst() : "__proto__");
            }
            if (node.path("data") instanceof ObjectNode data
                    && data.path("reason").isTextual()) {
                data.put("reason", TEXTS.getFirst());
            }
            changed.append('\u001e').append(JSON.writeValueAsString(node)).append('\n');
        }
        Rlog read = RlogReader.read(new ByteArrayInputStream(changed.toString().getBytes(StandardCharsets.UTF_8)));
        List<TraceEvent> events = new ArrayList<>(read.events());
        Stamp last = events.getLast().stamp();
        for (String text : TEXTS) {
            events.add(new TestkitEvent(new Stamp(last.id() + events.size(), last.nanos(), 0, 0), text, text, text));
        }
        return new Recording("hostile", Rlog.Header.of(String.join(" ", TEXTS)), List.copyOf(events));
    }

    @Test
    void textsOfATraceAreShownAsTextAndNeverExecuted(ReportPage page) throws IOException {
        Recording run = hostile();
        page.open(run);
        look(page, run);
        assertThat(begin(page.content("#title")))
                .isEqualTo(begin(plain(run.header().title())));
        assertThat(begin(String.valueOf(page.script("return document.title"))))
                .isEqualTo(begin(plain(run.header().title())).strip());
        assertThat(page.script("return typeof window.pwned")).isEqualTo("undefined");
        assertThat(page.script("return Object.keys(Object.prototype).length")).isEqualTo(0L);
        assertThat(page.script("return document.querySelectorAll('script, img, svg, iframe').length"))
                .as("scripts, and what could bring some: as many as of any run")
                .isEqualTo(3L);
        assertThat(page.script("return window.hcaReport.drawn().events"))
                .isEqualTo((long) run.events().size());
    }

    /** Opens each view and each fault event. */
    private static void look(ReportPage page, Recording run) {
        for (TestkitEvent event : run.events(TestkitEvent.class)) {
            page.click(event.stamp().id());
            page.awaits(() -> begin(page.content("#explanation .what")), begin("! " + plain(event.what())));
            assertThat(page.content("#explanation .facts")).contains(begin(plain(event.port())));
        }
        for (String view : List.of("requests", "strips", "events", "about")) {
            page.view(view);
        }
        page.view("ladder");
    }

    private static String begin(String text) {
        return text.substring(0, Math.min(text.length(), READ));
    }
}
