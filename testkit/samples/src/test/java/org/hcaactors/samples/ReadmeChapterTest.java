// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the samples in the README with their source. */
class ReadmeChapterTest {
    private static final Path README = Path.of("../../README.md");
    private static final Pattern SHOWN =
            Pattern.compile("// README (begins|goes on)(.*?)// README (?:pauses|ends)", Pattern.DOTALL);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "src/test/java/org/hcaactors/samples/StoreSurvivesTest.java",
                "src/test/java/org/hcaactors/samples/HostilePeerTest.java",
                "src/test/java/org/hcaactors/samples/PagesOnDemandTest.java",
                "src/test/java/org/hcaactors/samples/ProcessesShareTest.java",
                "src/test/java/org/hcaactors/samples/WokenThreadTest.java",
                "src/test/java/org/hcaactors/samples/ManyTargetsTest.java",
                "src/test/java/org/hcaactors/samples/MessagesByTagTest.java",
                "src/test/kotlin/org/hcaactors/samples/StoreSurvivesInKotlinTest.kt"
            })
    void theReadmeShowsTheCompiledSample(String sample) throws IOException {
        assertShown(README, sample);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "src/test/java/org/hcaactors/samples/ActorsAndStreamsTest.java",
                "../lab-kotlin/src/test/kotlin/org/hcaactors/lab/kotlin/RunWorldTest.kt"
            })
    void theGuideShowsTheCompiledSample(String sample) throws IOException {
        assertShown(Path.of("../guide/writing-tests.md"), sample);
    }

    private static void assertShown(Path page, String sample) throws IOException {
        List<String> shown = new ArrayList<>();
        Matcher parts = SHOWN.matcher(Files.readString(Path.of(sample)));
        while (parts.find()) {
            String before = parts.group(1).equals("begins") ? "" : shown.removeLast();
            shown.add(before + squeezed(parts.group(2)));
        }
        assertThat(shown).isNotEmpty();
        assertThat(squeezed(Files.readString(page))).contains(shown);
    }

    /** The README may break lines in other places than the formatter. */
    private static String squeezed(String text) {
        return String.join("", List.of(text.split("\\s+")));
    }
}
