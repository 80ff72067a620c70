// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that an invariant names every kind of event that it handles: it receives only those it names. */
class KindsOfEventsTest {
    private static final List<Path> ROOMS = List.of(
            Path.of("src/main/java/org/hcaactors/judge/invariant"),
            Path.of("../lab/src/main/java/org/hcaactors/lab/invariant"));
    private static final String KIND = "((?:HcaEvent|FabricEvent)\\.\\w+|TestkitEvent)";
    private static final Pattern TOLD_APART =
            Pattern.compile("(?:case|event instanceof)\\s+" + KIND + "(?:\\.\\w+)?\\s+\\w+");
    private static final Pattern NAMED = Pattern.compile(KIND + "\\.class");

    static List<Path> checkers() throws IOException {
        List<Path> checkers = new ArrayList<>();
        for (Path room : ROOMS) {
            try (Stream<Path> files = Files.list(room)) {
                files.filter(file -> text(file).contains("Set<Class<? extends TraceEvent>>"))
                        .filter(file -> text(file).contains("implements Invariant"))
                        .sorted()
                        .forEach(checkers::add);
            }
        }
        return checkers;
    }

    @ParameterizedTest
    @MethodSource("checkers")
    void aCheckerNamesTheKindsItDistinguishes(Path checker) {
        assertThat(found(NAMED, checker)).isEqualTo(found(TOLD_APART, checker));
    }

    @Test
    void moreThanThirtyCheckersExist() throws IOException {
        assertThat(checkers()).hasSizeGreaterThan(30);
    }

    private static Set<String> found(Pattern pattern, Path file) {
        return pattern.matcher(text(file))
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
