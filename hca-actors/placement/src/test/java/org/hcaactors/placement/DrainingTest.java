// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.placement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

// rule placement-drain
class DrainingTest {
    private static final Draining RUNS = new Draining(100, false);
    private static final Draining ENDED = RUNS.withEnded();

    @Test
    void aProgramThatRunsIsAwaitedUpToTheTime() {
        assertThat(RUNS.step(99, false)).isEqualTo(Draining.Step.WAIT);
        assertThat(RUNS.step(100, false)).isEqualTo(Draining.Step.GIVE_UP);
    }

    @Test
    void whenTheProgramHasEndedTheAdapterIsRemoved() {
        assertThat(ENDED.step(0, false)).isEqualTo(Draining.Step.REMOVE);
        assertThat(ENDED.step(1000, false)).isEqualTo(Draining.Step.REMOVE);
    }

    @Test
    void queuePairsAreAwaitedUpToTheTime() {
        assertThat(ENDED.step(99, true)).isEqualTo(Draining.Step.WAIT);
        assertThat(ENDED.step(100, true)).isEqualTo(Draining.Step.GIVE_UP);
    }

    @Test
    void theTimeMayWrapAround() {
        Draining late = new Draining(Long.MIN_VALUE + 5, false);
        assertThat(late.step(Long.MAX_VALUE, false)).isEqualTo(Draining.Step.WAIT);
        assertThat(late.step(Long.MIN_VALUE + 5, false)).isEqualTo(Draining.Step.GIVE_UP);
    }
}
