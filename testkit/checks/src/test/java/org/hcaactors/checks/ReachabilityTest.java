// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the native image metadata of our jars: no image is built here, so the files are compared with the sources. */
class ReachabilityTest {
    private static final Path ROOT = Path.of("../..");
    private static final String METADATA = "META-INF/native-image/org.hcaactors/%s/reachability-metadata.json";

    private static JsonNode metadata(Path resources, String artifact) throws IOException {
        return new ObjectMapper()
                .readTree(resources.resolve(METADATA.formatted(artifact)).toFile());
    }

    @ParameterizedTest
    @CsvSource({"hca-actors, hca-actors", "testkit/views, hca-views"})
    void everyResourceOfAJarIsConfigured(String module, String artifact) throws IOException {
        Path resources = ROOT.resolve(module).resolve("src/main/resources");
        List<String> globs = metadata(resources, artifact).get("resources").findValuesAsText("glob");
        try (Stream<Path> files = Files.walk(resources)) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(resources::relativize)
                            .filter(file -> !file.startsWith("META-INF")))
                    .isNotEmpty()
                    .allMatch(file -> globs.stream()
                            .anyMatch(glob -> FileSystems.getDefault()
                                    .getPathMatcher("glob:" + glob)
                                    .matches(file)));
        }
    }

    /** What the network's configuration names; {@code views} looks up no type by its name. */
    @ParameterizedTest
    @CsvSource({"hca-actors, hca-actors, 2", "testkit/views, hca-views, 0"})
    void everyConfiguredTypeExists(String module, String artifact, int count) throws IOException {
        Path resources = ROOT.resolve(module).resolve("src/main/resources");
        List<String> types = metadata(resources, artifact).path("reflection").findValuesAsText("type");
        assertThat(types).hasSize(count).doesNotHaveDuplicates();
        for (String type : types) {
            assertThatCode(() -> Class.forName(type)).as(type).doesNotThrowAnyException();
        }
    }
}
