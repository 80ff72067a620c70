// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Operation.Family;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.explain.Explanation;
import org.hcaactors.views.flow.Lineage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.Keys;

/** Tests the search for an error, by mouse and by keyboard. */
@ExtendWith(Chromium.class)
class FindingTest {
    private static Recording lost;

    @BeforeAll
    static void run() {
        lost = Recording.ofGallery("02-lost-packet");
    }

    private static String row(TraceEvent event) {
        return "#events .row[data-event='%d']".formatted(event.stamp().id());
    }

    private static String says(long found, Recording run) {
        return "%d of %d events".formatted(found, run.events().size());
    }

    private static List<String> explanation(Recording run, TraceEvent event) {
        Explanation told =
                Explainer.of(run.events()).explain(event.stamp().id()).orElseThrow();
        return Stream.concat(Stream.of(told.what()), told.because().stream()).toList();
    }

    @Test
    void theLostPacketIsFound(ReportPage page) {
        FabricEvent.Dropped dropped = lost.events(FabricEvent.Dropped.class).getFirst();
        FabricEvent.Sent sent = Lineage.of(lost.events()).sending(dropped).orElseThrow();
        page.open(lost).filter("dropped");
        page.awaits(page::filterSays, says(2, lost));
        page.view("events");
        page.awaits(() -> page.has(row(dropped)) && page.has(row(sent)), true);
    }

    @Test
    void aFilterSelectsTheEventsOfTheTrace(ReportPage page) {
        Recording run = Recording.ofScenario("reads", """
                title = "Reads among writes"
                adapters { a {}, b {} }
                objects  { pair { type = rc, between = [a, b], mtu = 256, first-psn = 950 } }
                traffic  = [ { on = pair, write = 4KiB, times = 3 }, { on = pair, read = 8KiB, times = 8 } ]
                """);
        long there = run.events(FabricEvent.class).stream()
                .filter(event -> event.port().equals("b") && isMeant(event.packet()))
                .count();
        assertThat(there).isBetween(10L, 1000L);
        page.open(run).filter("opcode:read psn:1000..1100 hca:b");
        page.awaits(page::filterSays, says(there, run));
    }

    private static boolean isMeant(Packet packet) {
        Family family = packet.operation().family();
        return packet.psn() >= 1000
                && packet.psn() <= 1100
                && (family == Family.READ || family == Family.READ_RESPONSE);
    }

    @Test
    void aClickOnACompletionShowsItsExplanation(ReportPage page) {
        HcaEvent.Completed done = lost.events(HcaEvent.Completed.class).getLast();
        page.open(lost).click(done.stamp().id());
        page.awaits(page::explanation, explanation(lost, done));
    }

    @Test
    void theKeyboardFindsACompletionToo(ReportPage page) {
        HcaEvent.Completed done = lost.events(HcaEvent.Completed.class).getLast();
        page.open(lost).press("/");
        page.press("completion");
        page.awaits(page::filterSays, says(lost.events(HcaEvent.Completed.class).size(), lost));
        page.press(Keys.ENTER);
        page.awaits(page::explanation, explanation(lost, done));
    }

    @Test
    void aKeySelectsALossAndItsPacketIsShownBitByBit(ReportPage page) {
        FabricEvent.Dropped dropped = lost.events(FabricEvent.Dropped.class).getFirst();
        page.open(lost).press("x");
        page.awaits(() -> page.fields().isEmpty(), false);
        assertThat(page.fields())
                .filteredOn(field -> field.name().equals("PSN"))
                .singleElement()
                .satisfies(field -> {
                    assertThat(field.value())
                            .isEqualTo(Integer.toString(dropped.packet().psn()));
                    assertThat(field.bits()).isEqualTo("72\u201395");
                    assertThat(field.bytes())
                            .isEqualTo("%06x".formatted(dropped.packet().psn()).replaceAll("..(?=.)", "$0 "));
                    assertThat(field.meaning()).isEqualTo("packet sequence number");
                });
        assertThat(page.fields())
                .filteredOn(field -> field.name().equals("opcode"))
                .singleElement()
                .satisfies(field -> assertThat(field.meaning()).contains("RC WRITE_MIDDLE"));
    }

    @Test
    void anInvalidQueryIsRefusedWithTheReason(ReportPage page) {
        page.open(lost).filter("psn:pineapple");
        page.awaits(() -> page.has("#filter-says.refused"), true);
        assertThat(page.filterSays()).contains("pineapple");
        page.filter("");
        page.awaits(page::filterSays, "");
    }
}
