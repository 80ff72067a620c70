// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that the same content is shown in all views, themes and sizes, and that a mark is where it is drawn. */
@ExtendWith(Chromium.class)
class ViewingTest {
    private static final List<String> VIEWS = List.of("ladder", "requests", "strips", "events", "about");

    private static Recording run;

    @BeforeAll
    static void run() {
        run = Recording.ofGallery("02-lost-packet");
    }

    @AfterEach
    void asBefore(ReportPage page) {
        page.scale(1);
        page.prefer("light");
    }

    @Test
    void everyViewHasAKey(ReportPage page) {
        page.open(run);
        for (String view : VIEWS) {
            page.press(Integer.toString(VIEWS.indexOf(view) + 1));
            page.awaits(
                    () -> VIEWS.stream()
                            .filter(one -> page.one("#" + one).isDisplayed())
                            .toList(),
                    List.of(view));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void theThemeIsTheSystemsUntilAKeyChangesIt(String theme, ReportPage page) {
        page.prefer(theme);
        page.open(run);
        page.awaits(page::theme, theme);
        page.press("l");
        page.awaits(page::theme, theme.equals("light") ? "dark" : "light");
    }

    /** Keys zoom in and out, hide details, and fold all lanes. */
    @ParameterizedTest
    @ValueSource(strings = {"++", "---d", "u"})
    void aClickOnAMarkSelectsItsEvent(String keys, ReportPage page) {
        page.open(run).press(keys);
        assertMarks(page);
    }

    /** To scale, events of one moment are at one height: the first of them is selected. */
    @ParameterizedTest
    @ValueSource(strings = {"t", "t--"})
    void aClickSelectsTheEventWithTimeToScale(String keys, ReportPage page) {
        page.open(run).press(keys);
        assertMark(page, run.events(HcaEvent.Completed.class).getFirst().stamp().id());
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.75, 2})
    void aClickSelectsTheEventAtEveryPixelRatio(double factor, ReportPage page) {
        page.open(run).scale(factor);
        assertMarks(page);
    }

    private static void assertMarks(ReportPage page) {
        assertMark(page, run.events(HcaEvent.Completed.class).getFirst().stamp().id());
        assertMark(page, run.events(FabricEvent.Sent.class).getFirst().stamp().id());
        assertMark(page, run.events(FabricEvent.Sent.class).getLast().stamp().id());
        assertMark(
                page, run.events(HcaEvent.WorkPosted.class).getFirst().stamp().id());
    }

    private static void assertMark(ReportPage page, long id) {
        page.click(id);
        page.awaits(page::selected, id);
    }

    @Test
    void lanesFoldAndUnfold(ReportPage page) {
        page.open(run);
        List<String> open = page.texts("#lanes .lane");
        page.one("#lanes .band").click();
        page.awaits(() -> page.one("#lanes .band").getDomAttribute("aria-expanded"), "false");
        assertThat(page.texts("#lanes .lane")).hasSizeLessThan(open.size());
        page.one("#lanes .band").click();
        page.awaits(() -> page.texts("#lanes .lane"), open);
    }

    @Test
    void aLinkRestoresFilterAndSelection(ReportPage page) {
        long id = run.events(HcaEvent.Completed.class).getFirst().stamp().id();
        URI link = URI.create(run.report().toUri() + "#filter=dropped&event=" + id);
        page.open(link);
        page.awaits(page::selected, id);
        assertThat(page.filterSays())
                .isEqualTo("2 of %d events".formatted(run.events().size()));
    }

    @Test
    void everyViewFitsIntoANarrowWindow(ReportPage page) {
        page.open(run).resize(700, 600);
        page.awaits(() -> page.script("return window.innerWidth"), 700L);
        page.awaits(() -> page.script("return document.documentElement.scrollWidth"), 700L);
        for (String view : VIEWS) {
            page.view(view);
        }
    }
}
