// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class RefusableTest {
    private static final Path FOLDER = Path.of(System.getProperty("verbs.folder", "target/verbs"));

    /** The command hca exec checks names by the file before a program starts. */
    @Test
    void theFileForTheCommandHasWhatCanBeRefused() throws IOException {
        assertThat(Files.readAllLines(FOLDER.resolve("refusable")))
                .containsExactlyInAnyOrderElementsOf(Functions.refusable());
    }
}
