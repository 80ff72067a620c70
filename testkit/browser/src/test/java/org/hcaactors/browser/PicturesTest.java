// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.hcaactors.fabric.flow.FabricEvent;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.OutputType;

/**
 * Saves each view in both themes to {@code target/screenshots}. With {@code -Dpictures.write=true}, the pictures that the
 * README shows are written to the guide.
 */
@ExtendWith(Chromium.class)
class PicturesTest {
    private static final Path FOLDER = Path.of("target/screenshots");
    private static final Path GUIDE = Path.of("../../docs/guide/pictures");
    private static final int MAX_BYTES = 250_000;

    /** Names of the pictures in the guide. */
    private static final Map<String, String> SHOWN = Map.of(
            "ladder-light", "ladder-light",
            "ladder-dark", "ladder-dark",
            "inspector-light", "inspector",
            "failed-light", "failed",
            "requests-light", "requests",
            "strips-light", "strips");

    /** Requests that wait for every possible reason. */
    private static final String WAITS = """
            title = "What requests wait for"
            adapters { a {}, b {} }
            objects {
              writer { type = rc, between = [a, b], mtu = 1024, rnr-retry = 7 }
              reader { type = rc, between = [a, b], mtu = 1024, rnr-retry = 7 }
              sender { type = rc, between = [a, b], mtu = 1024, rnr-timer = 10, receives-at = 300us }
            }
            changes = [ { on = writer, of = b, on-demand = true }, { on = reader, of = a, on-demand = true } ]
            traffic = [
              { on = writer, write = 2KiB, at = 10us }
              { on = sender, send = 3000, times = 3, at = 40us }
              { on = reader, read = 4KiB, times = 2, at = 200us }
              { on = writer, write = 8KiB, times = 3, at = 400us }
              { on = sender, send = 3000, times = 2, at = 450us }
              { on = writer, write = 2KiB, times = 2, at = 600us }
            ]
            faults = [
              { evict { at = 560us, adapter = b, process = app } }
              { drop { opcode = RC_SEND_MIDDLE, nth = 4 } }, { drop { opcode = RC_WRITE_MIDDLE, nth = 9 } }
            ]
            """;

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void everyViewIsDrawnInBothThemes(String theme, ReportPage page) throws IOException {
        Recording lost = Recording.ofGallery("02-lost-packet");
        page.open(lost).turnTo(theme);
        page.click(lost.events(FabricEvent.Dropped.class).getFirst().stamp().id());
        page.awaits(() -> page.fields().isEmpty(), false);
        keep("ladder-" + theme, page.screenshot());
        keep("inspector-" + theme, page.one("aside").getScreenshotAs(OutputType.BYTES));
        page.open(FailedReport.ofGallery("06-rnr-exhausted", "12-bad-cable").file())
                .turnTo(theme);
        page.resize(1300, 1000);
        page.awaits(() -> page.script("return window.innerWidth"), 1300L);
        keep("failed-" + theme, page.screenshot());
        page.open(Recording.ofScenario("waits", WAITS)).turnTo(theme);
        for (String view : List.of("requests", "strips", "events", "about")) {
            page.view(view);
            keep(view + "-" + theme, page.screenshot());
        }
    }

    private static void keep(String name, byte[] picture) throws IOException {
        Files.createDirectories(FOLDER);
        Files.write(FOLDER.resolve(name + ".png"), picture);
        if (Boolean.getBoolean("pictures.write") && SHOWN.containsKey(name)) {
            assertThat(picture.length).as("%s, in bytes", name).isLessThan(MAX_BYTES);
            Files.createDirectories(GUIDE);
            Files.write(GUIDE.resolve(SHOWN.get(name) + ".png"), picture);
        }
    }
}
