// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorstCaseTest {
    // rules rc-timeout, rc-retry-count
    @ParameterizedTest
    @CsvSource({"14, 7, 536870912", "1, 0, 8192", "31, 7, 70368744177664"})
    void anUnansweredRequestEndsAfterAllItsTimeouts(int timeoutCode, int retries, long nanos) {
        WorstCase worst = RcConnection.DEFAULT
                .withTimeoutCode(timeoutCode)
                .withRetryCount(retries)
                .worstCase();
        assertThat(worst.unanswered()).contains(Duration.ofNanos(nanos));
    }

    // rules rc-rnr-wait, rc-rnr-count
    @ParameterizedTest
    @CsvSource({"12, 3, 1920", "1, 6, 60", "0, 2, 1310720", "31, 1, 491520"})
    void aRequestWithoutReceiveEndsAfterAllItsWaits(int timerCode, int retries, long micros) {
        WorstCase worst = RcConnection.DEFAULT
                .withMinRnrTimerCode(timerCode)
                .withRnrRetry(retries)
                .worstCase();
        assertThat(worst.notReady()).contains(Duration.ofNanos(micros * 1_000));
    }

    @Test
    void whatNeverEndsIsWarnedOf() {
        assertThat(RcConnection.DEFAULT.withRnrRetry(6).worstCase().warnings()).isEmpty();
        assertThat(RcConnection.DEFAULT.worstCase().warnings())
                .containsExactly(
                        "an RNR retry count of 7 is unlimited: a request waits for as long as its peer posts no"
                                + " receive");
        WorstCase never = RcConnection.DEFAULT.withTimeoutCode(0).worstCase();
        assertThat(never.unanswered()).isEmpty();
        assertThat(never.notReady()).isEmpty();
        assertThat(never.warnings()).hasSize(2).first().asString().startsWith("timeout code 0 is infinite");
    }
}
