// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.srq;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.hcaactors.adapter.flow.EventDetail;
import org.hcaactors.api.work.Receive;
import org.junit.jupiter.api.Test;

/** Receives of a shared receive queue and its limit (rules receive-shared-order, receive-limit; ibv_modify_srq(3)). */
class SharedBuffersTest {
    private final SharedReceives shared = new SharedReceives();

    private long take() {
        return Objects.requireNonNull(shared.take()).id();
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
        assertThat(shared.take()).isNull();
    }

    // rule receive-limit
    @Test
    void theLimitIsReachedOnceWhenFewerAreLeft() {
        shared.add(Receive.of(1));
        shared.add(Receive.of(2));
        shared.arm(2);
        assertThat(shared.reached()).as("as many are left").isEmpty();
        assertThat(shared.limit()).isEqualTo(2);
        take();
        assertThat(shared.limit()).isZero();
        take();
        assertThat(shared.reached()).as("size and limit of that instant").hasValue(new EventDetail.BelowLimit(1, 2));
        assertThat(shared.reached()).as("once").isEmpty();
    }

    // rule receive-limit-at-once
    @Test
    void aLimitAboveTheSizeIsReachedWhenItIsArmed() {
        shared.add(Receive.of(1));
        shared.arm(2);
        assertThat(shared.reached()).hasValue(new EventDetail.BelowLimit(1, 2));
    }

    @Test
    void aLimitOfNoneIsNeverReached() {
        shared.arm(0);
        assertThat(shared.reached()).isEmpty();
    }

    @Test
    void aClosedQueueGivesNothing() {
        shared.add(Receive.of(1));
        shared.close();
        assertThat(shared.take()).isNull();
        assertThat(shared.size()).isEqualTo(1);
    }
}
