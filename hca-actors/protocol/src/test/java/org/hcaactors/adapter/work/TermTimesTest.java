// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.fabric.packet.Syndrome;
import org.junit.jupiter.api.Test;

/** The codes that {@link RcConnection} selects for times are those for which the machines use these times. */
class TermTimesTest {
    private final QpSettings settings = new QpSettings(1, 1, false);

    // rule rc-timeout
    @Test
    void eachTimeoutIsThatOfItsCode() {
        assertThat(IntStream.rangeClosed(1, 31)).allSatisfy(code -> {
            settings.apply(List.of(new QpAttribute.Timeout(code)));
            Duration timeout = Duration.ofNanos(settings.timeoutNanos());
            assertThat(RcConnection.DEFAULT.withTimeout(timeout).timeoutCode()).isEqualTo(code);
        });
    }

    // rules rc-rnr-wait, wire-rnr-timer
    @Test
    void eachRnrTimerIsThatOfItsCode() {
        assertThat(IntStream.rangeClosed(0, 31)).allSatisfy(code -> {
            Duration wait = Duration.ofNanos(Syndrome.rnrNanos(Syndrome.rnr(code)));
            assertThat(RcConnection.DEFAULT.withMinRnrTimer(wait).minRnrTimerCode())
                    .isEqualTo(code);
        });
    }
}
