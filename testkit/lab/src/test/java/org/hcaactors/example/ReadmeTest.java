// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.hcaactors.api.completion.WorkCompletion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the README's examples with compiled code, which also runs. */
class ReadmeTest {
    private static final Path README = Path.of("../../README.md");
    private static final Path SOURCE = Path.of("src/test/java/org/hcaactors/example/ReadmeExample.java");

    @Test
    void theExamplesRun() {
        List<WorkCompletion> seen = new CopyOnWriteArrayList<>();
        ReadmeExample.service(seen::add);
        ReadmeExample.broken();
    }

    @ParameterizedTest
    @ValueSource(strings = {"service", "broken"})
    void theReadmeShowsTheCompiledExample(String name) throws IOException {
        List<String> lines = Files.readAllLines(SOURCE);
        int from = lines.indexOf("        // begin " + name);
        int to = lines.indexOf("        // end " + name);
        String example = lines.subList(from + 1, to).stream()
                .map(line -> line.isBlank() ? "" : line.substring(8))
                .collect(Collectors.joining("\n"));
        assertThat(squeezed(Files.readString(README))).contains(squeezed(example));
    }

    /** Verifies that the README contains each C name that a reader may look for: with its Java form, or as not supported. */
    @Test
    void theReadmeHasEachNameOfTheManuals() throws IOException {
        String readme = Files.readString(README);
        assertThat(Files.readAllLines(Path.of("src/test/resources/org/hcaactors/example/c-names.txt")))
                .hasSizeGreaterThan(80)
                .allSatisfy(name -> assertThat(readme.contains(name)).as(name).isTrue());
    }

    /** The README may break lines in other places than the formatter. */
    private static String squeezed(String text) {
        return text.replaceAll("\\s+", "");
    }
}
