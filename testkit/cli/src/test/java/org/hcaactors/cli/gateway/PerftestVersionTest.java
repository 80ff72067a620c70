// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The versions that perftest's programs tell each other. */
class PerftestVersionTest {
    @ParameterizedTest
    @CsvSource({"6.29, 6.06", "6.06, 6.06", "5.70, 5.70"})
    void theSmallerVersionIsAnswered(String theirs, String answered) {
        assertThat(PerftestVersion.answer(theirs)).isEqualTo(Arrays.copyOf(answered.getBytes(US_ASCII), 16));
    }

    @Test
    void aVersionIsReadUpToItsZero() throws PeerException {
        assertThat(PerftestVersion.decode(PerftestVersion.encode("6.29"))).isEqualTo("6.29");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5.69", "6", "6.1.2", "-6.10", "GET / HTTP/1.1", "99999.1"})
    void otherTextsAndOldVersionsAreRefused(String text) {
        assertThatExceptionOfType(PeerException.class)
                .isThrownBy(() -> PerftestVersion.decode(PerftestVersion.encode(text)))
                .withMessage("it sent no version of perftest from 5.70 on");
    }
}
