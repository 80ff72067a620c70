// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.hcaactors.lab.hocon.RefusedException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A slip of the pen gives another scenario or a refusal in one line, never anything else. */
@Tag("nightly")
class MutatedScenariosTest {
    private static final int MUTATIONS = 400;
    private static final String MARKS = "{}[]\",=:#+-0159abz \n\u00e9";

    @ParameterizedTest
    @MethodSource("org.hcaactors.lab.scenario.GuideTest#scenarios")
    void aMutatedScenarioIsReadOrRefused(Path file) throws IOException {
        String text = Files.readString(file);
        SplittableRandom random = new SplittableRandom(7);
        int refused = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            try {
                Scenario.parse(mutated(text, random), "mutated.conf");
            } catch (RefusedException told) {
                refused++;
                assertThat(told.getMessage()).startsWith("mutated.conf:").doesNotContain("\n");
            }
        }
        assertThat(refused).isGreaterThan(MUTATIONS / 20);
    }

    private static String mutated(String text, SplittableRandom random) {
        StringBuilder changed = new StringBuilder(text);
        for (int i = 0; i <= random.nextInt(3); i++) {
            int at = random.nextInt(changed.length());
            char mark = MARKS.charAt(random.nextInt(MARKS.length()));
            switch (random.nextInt(3)) {
                case 0 -> changed.deleteCharAt(at);
                case 1 -> changed.insert(at, mark);
                default -> changed.setCharAt(at, mark);
            }
        }
        return changed.toString();
    }
}
