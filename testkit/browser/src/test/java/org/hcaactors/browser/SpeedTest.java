// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Checks that a long run is painted soon and scrolls smoothly. On a busy or slow machine the figures are compared with a
 * minimal page: it parses as many bytes, and scrolls an empty canvas of the same height.
 */
@ExtendWith(Chromium.class)
class SpeedTest {
    private static final int EVENTS = 100_000;
    private static final double MAX_MILLIS_TO_PAINT = 3000;
    private static final double MAX_MILLIS_A_FRAME = 33;
    private static final double MAX_TIMES_THE_FLOOR = 4;

    private static final String FLOOR = """
            <!DOCTYPE html><meta charset="utf-8"><title>floor</title><link rel="icon" href="data:,">
            <style>html, body { margin: 0; height: 100%% } .scroller { height: 100%%; overflow: auto }
            .high { height: %dpx; width: 1px; float: left } canvas { position: sticky; top: 0; display: block }</style>
            <body><div class="scroller"><div class="high"></div><canvas></canvas></div><p style="position: fixed; top: 0">floor</p>
            <script type="application/json" id="data">[%s0]</script>
            <script>
            JSON.parse(document.getElementById('data').textContent)
            const scroller = document.querySelector('.scroller'), canvas = document.querySelector('canvas')
            const draw = () => {
              canvas.width = scroller.clientWidth
              canvas.height = scroller.clientHeight
              canvas.getContext('2d').fillRect(0, 0, 1, 1)
            }
            scroller.addEventListener('scroll', () => requestAnimationFrame(draw))
            draw()
            requestAnimationFrame(() => document.body.dataset.ready = 'true')
            </script>
            """;

    private static final int FRAMES = 90;

    /** Scrolls through the whole height: a frame shows nothing of the one before. */
    private static final String SCROLL = """
            const [selector, frames, done] = arguments
            const scroller = document.querySelector(selector)
            const step = Math.floor((scroller.scrollHeight - scroller.clientHeight) / frames)
            const millis = []
            let before
            function frame(now) {
              if (before !== undefined) millis.push(now - before)
              before = now
              if (millis.length === frames) return done(millis)
              scroller.scrollTop += step
              requestAnimationFrame(frame)
            }
            requestAnimationFrame(frame)
            """;

    /** Milliseconds to the first paint, to the page's ready signal, and of the median frame while scrolling. */
    private record Figures(double painted, double ready, double frame) {
        boolean isWithin(Figures max) {
            return painted <= max.painted && ready <= max.ready && frame <= max.frame;
        }

        Figures times(double factor) {
            return new Figures(factor * painted, factor * ready, factor * frame);
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT, "first paint %.0f ms, ready %.0f ms, median frame %.1f ms", painted, ready, frame);
        }
    }

    private static Figures measure(ReportPage page, String scroller) {
        double painted =
                number(page.script("return performance.getEntriesByName('first-contentful-paint')[0].startTime"));
        double ready = number(page.script("return window.readyAt"));
        List<Double> frames = ((List<?>) page.scriptThatCalls(SCROLL, scroller, FRAMES))
                .stream().map(SpeedTest::number).sorted().toList();
        return new Figures(painted, ready, frames.get(frames.size() / 2));
    }

    private static double number(Object told) {
        return ((Number) told).doubleValue();
    }

    private static Path floor(long bytes, long height) throws IOException {
        String data = "1234567,".repeat(Math.toIntExact(bytes / 8));
        return Files.writeString(Path.of("target/reports/floor.html").toAbsolutePath(), FLOOR.formatted(height, data));
    }

    @Test
    void aRunOf100000EventsIsPaintedFastAndScrollsSmoothly(ReportPage page) throws IOException {
        Path report = Recording.ofLongRun(EVENTS).report();
        page.open(report);
        Figures ours = measure(page, "#ladder .scroller");
        long height = (Long) page.script("return document.querySelector('#ladder .scroller').scrollHeight");
        page.open(floor(Files.size(report), height));
        Figures floor = measure(page, ".scroller");
        System.out.printf(
                Locale.ROOT, "%d events, %.1f MB: %s; floor: %s%n", EVENTS, Files.size(report) / 1e6, ours, floor);
        assertThat(ours)
                .as("at most the figures, or %.0f times the floor: %s", MAX_TIMES_THE_FLOOR, floor)
                .matches(figures ->
                        figures.isWithin(new Figures(MAX_MILLIS_TO_PAINT, MAX_MILLIS_TO_PAINT, MAX_MILLIS_A_FRAME))
                                || figures.isWithin(floor.times(MAX_TIMES_THE_FLOOR)));
    }
}
