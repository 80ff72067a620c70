// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Versions of Pekko on which a network starts; StartTest of testkit/samples/start checks the message of a program. */
class PekkoVersionTest {
    @ParameterizedTest
    @ValueSource(strings = {"0.9.4", "1.0.0", "1.0.3-M1"})
    void aVersionThatIsTooOldIsRefused(String version) {
        assertThatThrownBy(() -> PekkoVersion.check(version))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(version);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.1.0", "1.7.0", "1.10.2", "2.0.0-M1+3-abc", "a snapshot"})
    void newerAndUnknownVersionsAreAccepted(String version) {
        assertThatCode(() -> PekkoVersion.check(version)).doesNotThrowAnyException();
    }
}
