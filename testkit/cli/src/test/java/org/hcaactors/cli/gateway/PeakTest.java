// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PeakTest {
    @Test
    void aBurstOfCompletionsIsNoPeak() {
        Peak peak = new Peak(100, 0);
        for (int i = 0; i < 100; i++) {
            // All were posted at once, and their completions come in one batch.
            if (peak.ends(i)) {
                peak.completed(i, 100_000 + i);
            }
        }
        assertThat(peak.rate()).isCloseTo(100 / 100_099.0, within(1e-9));
    }

    @Test
    void theTimeOfAMessageIsFromItsPostToItsCompletion() {
        Peak peak = new Peak(10, 0);
        for (int i = 0; i < 10; i++) {
            long at = 1000L * i;
            assertThat(peak.begins(i)).isTrue();
            peak.posted(i, at);
            // Of a late completion the next one is not the faster.
            peak.completed(i, at + (i == 5 ? 999 : 500));
        }
        assertThat(peak.rate()).isEqualTo(1 / 500.0);
    }

    @Test
    void theBestTenthIsThePeak() {
        Peak peak = new Peak(100, 0);
        long at = 0;
        for (int i = 0; i < 100; i++) {
            if (peak.begins(i)) {
                peak.posted(i, at);
            }
            at += i / 10 == 7 ? 10 : 100;
            if (peak.ends(i)) {
                peak.completed(i, at);
            }
        }
        assertThat(peak.rate()).isEqualTo(10 / 100.0);
    }
}
