// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Interfaces whose instances callers receive may get new methods, and their Javadoc must warn implementers. */
class NotForImplementationTest {
    private static final List<Path> SOURCES = List.of(Path.of("src/main/java"), Path.of("client/src/main/java"));

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Test
    void everyPublicInterfaceStatesWhetherItMayBeImplemented() throws IOException {
        List<String> open = new ArrayList<>();
        for (Path folder : SOURCES) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.filter(Files::isRegularFile)
                        .map(NotForImplementationTest::text)
                        .filter(text -> text.contains("\npublic interface "))
                        .filter(text -> !text.contains("<p>For implementation: no method will be added."))
                        .forEach(open::add);
            }
        }
        assertThat(open)
                .hasSizeGreaterThan(10)
                .allSatisfy(text -> assertThat(text.substring(0, text.indexOf("\npublic interface ")))
                        .endsWith(" * <p>Not for implementation: methods are added in minor versions.\n */"));
    }
}
