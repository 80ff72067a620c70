// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.TestkitEvent;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks what is shown before any user input. */
@ExtendWith(Chromium.class)
class OpeningTest {
    /** Four adapters, each connected to the next. */
    private static final String SERVICE = """
            title = "A service"
            adapters { a {}, b {}, c {}, d {} }
            objects {
              ab { type = rc, between = [a, b] }
              bc { type = rc, between = [b, c] }
              cd { type = rc, between = [c, d] }
            }
            traffic = [
              { on = ab, write = 2KiB, times = 4 }, { on = bc, write = 2KiB, times = 4 }
              { on = cd, write = 2KiB, times = 4 }
            ]
            """;

    private static Recording lost;
    private static Recording service;

    @BeforeAll
    static void runs() {
        lost = Recording.ofGallery("02-lost-packet");
        service = Recording.ofScenario("service", SERVICE);
    }

    private static boolean sees(ReportPage page, TraceEvent event) {
        return Boolean.TRUE.equals(page.script(
                "return window.hcaReport.sees(arguments[0])", event.stamp().id()));
    }

    @Test
    void theViewOpensAtTheFirstRequest(ReportPage page) {
        Recording run = Recording.ofMessages(20);
        page.open(run);
        assertThat(sees(page, run.events(HcaEvent.WorkPosted.class).getFirst())).isTrue();
        assertThat(sees(page, run.events(HcaEvent.StateChanged.class).getFirst()))
                .isFalse();
        assertThat(page.selected()).isZero();
    }

    @Test
    void aRunOfManyAdaptersOpensWithItsRequests(ReportPage page) {
        page.open(service);
        assertThat(page.one("#requests").isDisplayed()).isTrue();
        assertThat(page.one("nav button[data-view=requests]").getDomAttribute("aria-selected"))
                .isEqualTo("true");
    }

    @ParameterizedTest
    @ValueSource(ints = {700, 900, 1400})
    void lanesFitTheWidth(int width, ReportPage page) {
        for (Recording run : List.of(lost, service)) {
            page.open(run).resize(width, 800);
            page.awaits(() -> page.script("return window.innerWidth"), (long) width);
            page.view("ladder");
            page.awaits(
                    () -> page.script("const box = document.querySelector('.scroller');"
                            + " return box.scrollWidth <= box.clientWidth"),
                    true);
        }
    }

    @Test
    void completionQueuesFoldFirstIfLanesDoNotFit(ReportPage page) {
        page.open(Recording.ofMessages(3)).resize(1000, 800);
        page.awaits(
                () -> page.texts("#lanes .lane").stream()
                        .map(lane -> lane.replaceAll("qp\\d+", "qp"))
                        .toList(),
                List.of("2 CQs", "qp", "qp", "2 CQs"));
        page.resize(1900, 800);
        page.awaits(
                () -> page.texts("#lanes .lane").stream()
                        .filter(lane -> lane.startsWith("cq"))
                        .toList(),
                List.of("cq1", "cq2", "cq1", "cq2"));
    }

    @Test
    void hiddenDetailsTakeNoRows(ReportPage page) {
        page.open(lost);
        Map<?, ?> without = (Map<?, ?>) page.script("return window.hcaReport.rows()");
        page.one("#details").click();
        Map<?, ?> with = (Map<?, ?>) page.script("return window.hcaReport.rows()");
        assertThat(number(with, "events")).isEqualTo(lost.events().size());
        assertThat((number(with, "height") - number(without, "height"))
                        / (number(with, "events") - number(without, "events")))
                .as("pixels of each row more")
                .isEqualTo(20.0);
    }

    private static double number(Map<?, ?> rows, String name) {
        return rows.get(name) instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    @Test
    void aBarsLengthIsProportionalToItsTime(ReportPage page) {
        page.open(service);
        List<?> rates = (List<?>) page.script("""
                const units = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };
                return [...document.querySelectorAll('#requests .row')].map(row => {
                  const [, number, unit] = /([\\d.]+) (\\w+)/.exec(row.querySelector('.time').textContent);
                  const parts = [...row.querySelectorAll('.bar b')].map(tick => tick.getBoundingClientRect().left);
                  return (Math.max(...parts) - Math.min(...parts)) / (Number(number) * units[unit]);
                })
                """);
        assertThat(rates).hasSizeGreaterThan(1);
        double rate = ((Number) rates.getFirst()).doubleValue();
        assertThat(rates)
                .allSatisfy(
                        each -> assertThat(((Number) each).doubleValue() / rate).isBetween(0.9, 1.1));
    }

    @Test
    void aProgramsReportsHaveALaneAndAreAmongTheRequests(ReportPage page) {
        Recording run = Recording.ofGallery("42-tag-rendezvous-too-early");
        List<TestkitEvent> said = run.events(TestkitEvent.class).stream()
                .filter(TestkitEvent::isOfProgram)
                .toList();
        assertThat(said).isNotEmpty();
        page.open(run).view("requests");
        assertThat(page.texts("#requests .row.said"))
                .anySatisfy(row -> assertThat(row).contains(said.getFirst().what()));
        page.view("ladder");
        page.click(said.getFirst().stamp().id());
        page.awaits(page::selected, said.getFirst().stamp().id());
        assertThat(page.text("#explanation .facts")).contains(said.getFirst().element());
    }
}
