// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nanoseconds in ticks of the adapter's clock. */
class AdapterClockTest {
    @ParameterizedTest(name = "{0} ns at {1} kHz")
    @CsvSource({
        "0, 156250, 0",
        "6, 156250, 0",
        "7, 156250, 1",
        "999999, 1000, 999",
        "1500001, 1000, 1500",
        "2000064, 156250, 312510",
        "9223372036854775807, 1000000, 9223372036854775807"
    })
    void ticksBegunDoNotCountAndThreeHundredYearsDoNotOverflow(long nanos, int kilohertz, long ticks) {
        assertThat(AdapterClock.of(nanos, kilohertz)).isEqualTo(ticks);
    }
}
