// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.browser;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hcaactors.browser.Colour.KeyMapping;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that the classes of opcodes are distinguishable with colour vision deficiencies, too. */
@ExtendWith(Chromium.class)
class ColoursTest {
    /** In L*a*b*, several times what is just noticeable side by side: arrows are thin and far apart. */
    private static final double MIN_DISTANCE = 20;

    /** Minimum of WCAG 2.1 for graphics (1.4.11). */
    private static final double MIN_CONTRAST = 3;

    private static Map<String, Colour> palette(ReportPage page, String theme) {
        Map<?, ?> told = (Map<?, ?>) page.script("return window.hcaReport.palette(arguments[0])", theme);
        Map<String, Colour> palette = new TreeMap<>();
        told.forEach((name, colour) -> palette.put(String.valueOf(name), Colour.parse(String.valueOf(colour))));
        return palette;
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void coloursOfOpcodeClassesDifferForEveryKindOfSight(String theme, ReportPage page) {
        Map<String, Colour> palette = palette(page.open(Recording.ofGallery("02-lost-packet")), theme);
        assertThat(palette).hasSize(7);
        List<String> alike = new ArrayList<>();
        for (KeyMapping sight : KeyMapping.values()) {
            palette.forEach((one, first) -> palette.forEach((two, second) -> {
                double distance = sight.of(first).distance(sight.of(second));
                if (one.compareTo(two) < 0 && distance < MIN_DISTANCE) {
                    alike.add("%s: %s and %s, %.1f".formatted(sight, one, two, distance));
                }
            }));
        }
        assertThat(alike).as("in L*a*b*, at least %s apart", MIN_DISTANCE).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void everyColourContrastsWithItsBackground(String theme, ReportPage page) {
        Map<String, Colour> palette = palette(page.open(Recording.ofGallery("02-lost-packet")), theme);
        Colour ground = requireNonNull(palette.remove("ground"));
        assertThat(palette)
                .allSatisfy((name, colour) ->
                        assertThat(colour.contrast(ground)).as(name).isGreaterThanOrEqualTo(MIN_CONTRAST));
    }
}
