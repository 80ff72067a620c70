// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.srq;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Slots of a shared receive queue, one call after the other. */
class ReceiveSlotsTest {
    private final ReceiveSlots slots = new ReceiveSlots(3);

    private void takeAll() {
        for (int taken = 0; taken < 3; taken++) {
            assertThat(slots.outstanding()).isEqualTo(taken);
            assertThat(slots.take()).isTrue();
        }
    }

    @Test
    void allSlotsAreTakenAndAReleasedOneIsTakenAgain() {
        takeAll();
        assertThat(slots.take()).isFalse();
        assertThat(slots.outstanding()).isEqualTo(3);
        slots.release(2);
        assertThat(slots.outstanding()).isOne();
        assertThat(slots.capacity()).isEqualTo(3);
        assertThat(slots.take()).isTrue();
    }

    // rule post-list
    @Test
    void aListTakesTheSlotsThatAreFree() {
        assertThat(slots.take(2)).isEqualTo(2);
        assertThat(slots.take(2)).isOne();
        assertThat(slots.take(2)).isZero();
        assertThat(slots.outstanding()).isEqualTo(3);
        slots.release(3);
        assertThat(slots.take(0)).isZero();
        assertThat(slots.outstanding()).isZero();
    }

    @Test
    void aResizeKeepsTakenSlotsAndIsRefusedBelowTheirNumber() {
        takeAll();
        assertThat(slots.resize(2)).isFalse();
        assertThat(slots.capacity()).isEqualTo(3);
        assertThat(slots.resize(3)).isTrue();
        assertThat(slots.resize(4)).isTrue();
        assertThat(slots.capacity()).isEqualTo(4);
        assertThat(slots.outstanding()).isEqualTo(3);
        assertThat(slots.take()).isTrue();
        assertThat(slots.take()).isFalse();
    }
}
