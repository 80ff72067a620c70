// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.hcaactors.adapter.flow.HcaEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.OutputType;

/** Checks the report of a failed test from the view of a first-time reader. */
@ExtendWith(Chromium.class)
class FailedTestTest {
    private static FailedReport report;
    private static Path file;

    @BeforeAll
    static void report() {
        report = FailedReport.ofGallery("06-rnr-exhausted", "12-bad-cable");
        file = report.file();
    }

    @AfterEach
    void asBefore(ReportPage page) {
        page.prefer("light");
    }

    private static long events(ReportPage page) {
        return ((Number) page.script("return window.hcaReport.recorded().events")).longValue();
    }

    @Test
    void thePageStartsWithTheFailureItsPlaceAndTheReplay(ReportPage page) {
        page.open(file);
        assertThat(page.text("#title")).isEqualTo("Failed: StoreTest.answersInTime");
        assertThat(page.text("#failure .assertion")).isEqualTo(FailedReport.ASSERTION);
        assertThat(page.text("#failure")).contains("StoreTest.java:33", FailedReport.REPLAY, "0 faults of 31");
        assertThat(page.one("#failure").getLocation().getY())
                .isLessThan(page.one("#ladder").getLocation().getY());
        assertThat(page.texts("#failure a"))
                .containsExactly("test method", "ladder.txt", "packets.pcapng", "trace.rlog");
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void redTextContrastsWithItsBackground(String theme, ReportPage page) {
        page.open(file).turnTo(theme);
        Colour ground = colour(page.one("#failure").getCssValue("background-color"));
        assertThat(colour(page.one("#failure .assertion").getCssValue("color")).contrast(ground))
                .isGreaterThan(4.5);
    }

    /** Parses {@code rgba(157, 3, 3, 1)}. */
    private static Colour colour(String css) {
        List<Integer> parts = Pattern.compile("\\d+")
                .matcher(css)
                .results()
                .map(number -> Integer.valueOf(number.group()))
                .toList();
        return Colour.parse("#%02x%02x%02x".formatted(parts.get(0), parts.get(1), parts.get(2)));
    }

    @Test
    void theMinimalRunIsShownAndAButtonShowsTheWholeOne(ReportPage page) {
        page.open(file);
        assertThat(events(page)).isEqualTo(report.small().events().size());
        page.one("#failure button[data-choose=whole]").click();
        page.awaits(() -> page.has("body[data-ready=true] button[data-choose=whole][aria-pressed=true]"), true);
        assertThat(events(page)).isEqualTo(report.whole().events().size());
        page.open(URI.create(file.toUri() + "#run=minimal"));
        assertThat(events(page)).isEqualTo(report.small().events().size());
    }

    @Test
    void thePageOpensAtTheFirstFailureWithItsExplanation(ReportPage page) {
        page.open(file);
        HcaEvent.Completed failed = report.small().events(HcaEvent.Completed.class).stream()
                .filter(done -> !done.completion().isSuccess())
                .findFirst()
                .orElseThrow();
        assertThat(page.script(
                        "return window.hcaReport.sees(arguments[0])",
                        failed.stamp().id()))
                .isEqualTo(true);
        assertThat(page.selected()).isZero();
        assertThat(page.text("#explanation")).contains("ended with RNR_RETRY_EXC_ERR", "because ");
    }

    @Test
    void linksAreUnderlined(ReportPage page) {
        page.open(file);
        for (String link : List.of("#failure a", "#explanation .link")) {
            assertThat(page.one(link).getCssValue("text-decoration-line"))
                    .as(link)
                    .isEqualTo("underline");
        }
        page.one("#explanation .link").click();
        page.awaits(() -> page.has("#explanation .chain button span"), true);
        assertThat(page.one("#explanation .chain button span").getCssValue("text-decoration-line"))
                .isEqualTo("underline");
    }

    @Test
    void aCommandIsCopiedOrSelectedByItsButton(ReportPage page) {
        page.open(file);
        page.one("#failure .copy").click();
        page.awaits(() -> List.of("Copied", "Selected").contains(page.text("#failure .copy")), true);
    }

    @ParameterizedTest
    @CsvSource({"1440, 900, light", "900, 800, light", "700, 600, dark"})
    void everythingFitsIntoAWindowOfAnySize(int width, int height, String theme, ReportPage page) throws IOException {
        page.prefer(theme);
        page.open(file).resize(width, height);
        page.awaits(() -> page.script("return window.innerWidth"), (long) width);
        page.awaits(() -> page.script("return document.documentElement.scrollWidth"), (long) width);
        assertThat(page.one("#ladder .scroller").getSize().getHeight()).isGreaterThan(60);
        assertThat(page.one("#failure .replay").isDisplayed()).isTrue();
        byte[] picture = page.one("body").getScreenshotAs(OutputType.BYTES);
        Files.createDirectories(Path.of("target/screenshots"));
        Files.write(Path.of("target/screenshots/failed-%d-%s.png".formatted(width, theme)), picture);
    }
}
