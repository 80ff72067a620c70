// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Numbers of packets from another node (rule cluster-window). */
class ReceiveCountTest {
    private final ReceiveCount count = new ReceiveCount();

    @Test
    void packetsThatNeverCameAreConsumedAtOnce() {
        assertThat(count.arrived(0, 5)).isZero();
        assertThat(count.arrived(8, 2)).isEqualTo(3);
        count.consumed(5);
        assertThat(count.grant()).isEqualTo(8);
        count.consumed(2);
        assertThat(count.grant()).isEqualTo(10);
    }

    @Test
    void aRepeatedTrainIsRecognised() {
        count.arrived(0, 5);
        assertThat(count.arrived(0, 5)).isNegative();
        count.consumed(5);
        assertThat(count.grant()).isEqualTo(5);
    }

    @Test
    void aProbeTellsOfTheLastPacketsThatWereLost() {
        count.arrived(0, 5);
        assertThat(count.announced(9)).isEqualTo(4);
        assertThat(count.announced(9)).isZero();
        count.consumed(5);
        assertThat(count.grant()).isEqualTo(9);
    }

    @Test
    void aGrantIsDueWhenEnoughWasConsumed() {
        count.arrived(0, 5);
        count.consumed(4);
        assertThat(count.isGrantDue(5)).isFalse();
        count.consumed(1);
        assertThat(count.isGrantDue(5)).isTrue();
        count.grant();
        assertThat(count.isGrantDue(5)).isFalse();
    }
}
