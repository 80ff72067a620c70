// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.uplink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PollingTest {
    private final AtomicLong time = new AtomicLong(Long.MAX_VALUE - 10);
    private final Polling polling = new Polling(time::get);

    @Test
    void nobodyPollsAtFirst() {
        assertThat(polling.isRecent()).isFalse();
        assertThat(polling.finds()).isFalse();
    }

    @Test
    void addedWorkWakesAThreadBeforeOneTakesItOver() {
        polling.note();
        assertThat(polling.finds()).isTrue();
        time.addAndGet(Polling.RECENT_NANOS / 2);
        assertThat(polling.finds()).isFalse();
        assertThat(polling.isRecent()).isTrue();
        assertThat(polling.remainingNanos()).isEqualTo(Polling.RECENT_NANOS / 2);
        time.addAndGet(Polling.RECENT_NANOS / 2);
        assertThat(polling.isRecent()).isFalse();
        assertThat(polling.remainingNanos()).isZero();
    }

    @Test
    void anEndIsTheLastPoll() {
        polling.note();
        polling.end();
        assertThat(polling.isRecent()).isFalse();
        polling.note();
        assertThat(polling.isRecent()).isTrue();
    }
}
