// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * Checks {@code rdma-unit-test.txt}, which names every test of the suite: each is either implemented here, with its name as a
 * tag, or has a reason in the list; never both.
 */
class EveryTestIsAccountedForTest {
    private static final String TAG = "rdma-unit-test:";
    private static final Path LIST = Path.of("src/test/resources/conformance/rdma-unit-test.txt");
    private static final Path PAGE = Path.of("../../docs/reference/conformance.md");
    private static final Set<String> TOLD = Set.of("", "part", "quirk");
    private static final Set<String> NOT_TOLD = Set.of("later", "never");

    /** By name: what the list says, nothing or a word with a reason. */
    private final Map<String, String> listed = listed();

    private static Map<String, String> listed() {
        Map<String, String> all = new LinkedHashMap<>();
        try (Stream<String> lines = Files.lines(LIST)) {
            lines.filter(line -> !line.isBlank() && !line.startsWith("#") && !line.startsWith("["))
                    .map(line -> line.split("\\s+", 2))
                    .forEach(line -> assertThat(all.put(line[0], line.length == 1 ? "" : line[1]))
                            .as("%s is listed once", line[0])
                            .isNull());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return all;
    }

    private static String word(String remark) {
        return remark.isEmpty() ? "" : remark.substring(0, remark.indexOf(':'));
    }

    private Set<String> namesOf(Set<String> words) {
        return listed.entrySet().stream()
                .filter(entry -> words.contains(word(entry.getValue())))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private long count(String beginning) {
        return listed.values().stream()
                .filter(remark -> remark.startsWith(beginning))
                .count();
    }

    private static Set<String> tagged() {
        List<Class<?>> classes = ReflectionSupport.findAllClassesInPackage(
                EveryTestIsAccountedForTest.class.getPackageName(), type -> true, name -> true);
        return classes.stream()
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .flatMap(method -> AnnotationSupport.findRepeatableAnnotations(method, Tag.class).stream())
                .map(Tag::value)
                .filter(tag -> tag.startsWith(TAG))
                .map(tag -> tag.substring(TAG.length()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void everyNameIsTaggedOrHasAReason() {
        assertThat(listed.values())
                .as("remarks")
                .allMatch(remark -> remark.isEmpty() || remark.matches("(part|quirk|later|never): \\S.*"));
        assertThat(tagged()).containsExactlyElementsOf(namesOf(TOLD));
        assertThat(namesOf(NOT_TOLD)).hasSize(listed.size() - namesOf(TOLD).size());
    }

    @Test
    void theReadmeHasTheirNumbers() throws IOException {
        String page = Files.readString(PAGE).replaceAll("\\s+", " ");
        assertThat(page)
                .contains("%d of its %d tests".formatted(namesOf(TOLD).size(), listed.size()))
                .contains("%d wait for things that are not modelled yet".formatted(count("later: ")))
                .contains("and %d say what no Java program can".formatted(count("never: ")));
    }
}
