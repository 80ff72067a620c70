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
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of the README and the guide are compiled and run by the build. */
class ReadmeTest {
    private static final Path ROOT = Path.of("../..");
    private static final Path SOURCE = Path.of("src/test/java/org/hcaactors/example/ReadmeExample.java");

    @Test
    void theExamplesRun() {
        List<WorkCompletion> seen = new CopyOnWriteArrayList<>();
        ReadmeExample.service(seen::add);
        ReadmeExample.broken();
    }

    @ParameterizedTest
    @CsvSource({"README.md, service", "docs/guide/service.md, service", "docs/guide/testing.md, broken"})
    void aPageShowsTheCompiledExample(String page, String name) throws IOException {
        List<String> lines = Files.readAllLines(SOURCE);
        int from = lines.indexOf("        // begin " + name);
        int to = lines.indexOf("        // end " + name);
        String example = lines.subList(from + 1, to).stream()
                .map(line -> line.isBlank() ? "" : line.substring(8))
                .collect(Collectors.joining("\n"));
        assertThat(squeezed(Files.readString(ROOT.resolve(page)))).contains(squeezed(example));
    }

    /** Each name of the manuals is on the page of verbs: with its Java form, or as one that is not modelled. */
    @Test
    void theReferenceHasEveryNameOfTheManPages() throws IOException {
        String verbs = Files.readString(ROOT.resolve("docs/reference/verbs.md"))
                + Files.readString(ROOT.resolve("docs/reference/modelled.md"));
        assertThat(Files.readAllLines(Path.of("src/test/resources/org/hcaactors/example/c-names.txt")))
                .hasSizeGreaterThan(80)
                .allSatisfy(name -> assertThat(verbs.contains(name)).as(name).isTrue());
    }

    /** The formatter may break lines elsewhere than the page does. */
    private static String squeezed(String text) {
        return text.replaceAll("\\s+", "");
    }
}
