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

/**
 * Each view in both themes, as files that a build keeps: {@code target/screenshots}. With {@code -Dpictures.write=true} those that the
 * README shows are written to the guide.
 */
@ExtendWith(Chromium.class)
class PicturesTest {
    private static final Path FOLDER = Path.of("target/screenshots");
    private static final Path GUIDE = Path.of("../guide/pictures");
    private static final int MOST_BYTES = 200_000;

    /** What the guide calls them. */
    private static final Map<String, String> SHOWN = Map.of(
            "ladder-light", "ladder-light",
            "ladder-dark", "ladder-dark",
            "inspector-light", "inspector",
            "requests-light", "requests",
            "strips-light", "strips");

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void everyViewIsThereInBothThemes(String theme, ReportPage page) throws IOException {
        Recording run = Recording.ofGallery("02-lost-packet");
        page.open(run).turnTo(theme);
        for (String view : List.of("ladder", "requests", "strips", "events", "about")) {
            page.view(view);
            keep(view + "-" + theme, page.screenshot());
        }
        page.view("ladder");
        page.click(run.events(FabricEvent.Dropped.class).getFirst().stamp().id());
        page.awaits(() -> page.fields().isEmpty(), false);
        keep("inspector-" + theme, page.screenshot());
    }

    private static void keep(String name, byte[] picture) throws IOException {
        Files.createDirectories(FOLDER);
        Files.write(FOLDER.resolve(name + ".png"), picture);
        if (Boolean.getBoolean("pictures.write") && SHOWN.containsKey(name)) {
            assertThat(picture.length).as("%s, in bytes", name).isLessThan(MOST_BYTES);
            Files.createDirectories(GUIDE);
            Files.write(GUIDE.resolve(SHOWN.get(name) + ".png"), picture);
        }
    }
}
