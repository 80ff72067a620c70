// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostPortTest {
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:7355", "[::1]:0", "host.example:65535"})
    void anAddressIsPrintedAsItIsParsed(String text) {
        assertThat(HostPort.parse(text)).hasToString(text);
    }

    @Test
    void anIpv6HostHasNoBrackets() {
        assertThat(HostPort.parse("[::1]:7").host()).isEqualTo("::1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "host", ":1", "host:", "host:-1", "host:65536", "::1", "a:b:1"})
    void otherTextsAreRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> HostPort.parse(text));
    }
}
