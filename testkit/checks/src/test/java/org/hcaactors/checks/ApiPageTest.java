// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** The page of the public API is what the sources say; with {@code -Dguide.write=true} it is written again. */
class ApiPageTest {
    @Test
    void thePageEqualsTheGeneratedOne() throws IOException {
        String text = ApiPage.text();
        if (Boolean.getBoolean("guide.write")) {
            Files.writeString(ApiPage.FILE, text);
        }
        assertThat(ApiPage.FILE).as("written again by -Dguide.write=true").hasContent(text);
    }

    @Test
    void everyTypeOnThePageHasASentence() {
        assertThat(ApiPage.lines())
                .hasSizeGreaterThan(150)
                .allSatisfy(line -> assertThat(line.sentence()).as(line.name()).isNotBlank());
    }
}
