// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.srq;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.api.work.Receive;
import org.junit.jupiter.api.Test;

/** Receives of a shared receive queue and its limit (rules receive-shared-order, receive-limit; ibv_modify_srq(3)). */
class SharedBuffersTest {
    private final SharedReceives shared = new SharedReceives();

    private long take() {
        return shared.take().orElseThrow().id();
    }

    @Test
    void theOldestReceiveIsTakenFirstAlsoAfterItWasPutBack() {
        shared.add(Receive.of(1));
        shared.add(Receive.of(2));
        assertThat(take()).isEqualTo(1);
        shared.putBack(Receive.of(1));
        assertThat(shared.size()).isEqualTo(2);
        assertThat(take()).isEqualTo(1);
        assertThat(take()).isEqualTo(2);
        assertThat(shared.take()).isEmpty();
    }

    @Test
    void theLimitIsReachedOnceWhenFewerAreLeft() {
        shared.add(Receive.of(1));
        shared.add(Receive.of(2));
        shared.arm(2);
        assertThat(shared.limitReached()).as("as many are left").isFalse();
        assertThat(shared.limit()).isEqualTo(2);
        take();
        assertThat(shared.limitReached()).isTrue();
        assertThat(shared.limit()).isZero();
        take();
        assertThat(shared.limitReached()).as("once").isFalse();
    }

    @Test
    void aLimitOfNoneIsNeverReached() {
        shared.arm(1);
        shared.arm(0);
        assertThat(shared.limitReached()).isFalse();
    }
}
