// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgramCheckTest {
    @Test
    void theGuideHasARemedyForEveryCheck() throws IOException {
        List<String> rows = Files.readAllLines(Path.of("../../docs/guide/buffers.md")).stream()
                .filter(line -> line.startsWith("| `") && line.substring(3, 4).matches("[A-Z]"))
                .toList();
        assertThat(rows)
                .containsExactlyElementsOf(Arrays.stream(ProgramCheck.values())
                        .map(check -> "| `" + check.name() + "` | " + check.advice() + " |")
                        .toList());
    }
}
