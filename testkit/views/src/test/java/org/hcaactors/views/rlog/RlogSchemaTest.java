// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The schema in the user guide says what is written. */
class RlogSchemaTest {
    private static final Path SCHEMA = Path.of("../../docs/guide/rlog.md");

    @ParameterizedTest
    @EnumSource(EventType.class)
    void everyTypeIsOnTheSchemasPageWithItsFields(EventType type) throws IOException {
        String fields = Arrays.stream(type.kind().getRecordComponents())
                .map(RecordComponent::getName)
                .filter(name -> !List.of("stamp", "port").contains(name))
                .map(name -> "`" + name + "`")
                .collect(Collectors.joining(", "));
        assertThat(Files.readAllLines(SCHEMA))
                .anyMatch(line -> line.startsWith("| `" + type.text() + "` | " + fields + " | "));
    }

    @Test
    void theSchemasPageHasNoOtherType() throws IOException {
        assertThat(Files.readAllLines(SCHEMA).stream()
                        .takeWhile(line -> !line.equals("## Reasons"))
                        .filter(line -> line.matches("\\| `\\w+:\\w+` .*")))
                .hasSize(EventType.values().length);
        assertThat(Files.readString(SCHEMA)).contains(Rlog.SCHEMA);
    }
}
