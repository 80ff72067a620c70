// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.lab.hocon.RefusedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Scenario files with one mistake each; the first line of each says what is to be told of it, behind the file's name. */
class WrongScenariosTest {
    private static final Path WRONG = Path.of("src/test/resources/wrong-scenarios");
    private static final String EXPECTED = "# ";

    static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(WRONG)) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void isRefusedInOneLineWithPlaceAndAllowedValues(Path file) throws IOException {
        String text = Files.readString(file);
        String name = file.getFileName().toString();
        String expected = text.lines().findFirst().orElseThrow().substring(EXPECTED.length());
        assertThatThrownBy(() -> Scenario.parse(text, name))
                .isInstanceOf(RefusedException.class)
                .hasMessage(name + ":" + expected);
        assertThat(expected).doesNotContain("\n").matches("\\d+: .*");
    }

    @Test
    void atLeastThirtyWrongScenariosExist() throws IOException {
        assertThat(files()).hasSizeGreaterThanOrEqualTo(30);
    }
}
