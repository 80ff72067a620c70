// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TurnsTest {
    @ParameterizedTest
    @CsvSource({"1, AB", "2, ABBA", "3, ABBAAB", "4, ABBAABBA"})
    void theTwoVariantsAlternateAsFirst(int rounds, String order) {
        assertThat(String.join("", Turns.of("A", "B", rounds))).isEqualTo(order);
    }
}
