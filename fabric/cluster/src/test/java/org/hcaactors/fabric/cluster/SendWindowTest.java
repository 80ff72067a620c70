// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Packets under way to another node (rule cluster-window). */
class SendWindowTest {
    private final SendWindow window = new SendWindow(10);

    @Test
    void packetsUnderWayTakeRoomUntilTheyAreConsumed() {
        assertThat(window.sent(6)).isZero();
        assertThat(window.sent(4)).isEqualTo(6);
        assertThat(window.room()).isZero();
        window.granted(7);
        assertThat(window.room()).isEqualTo(7);
        assertThat(window.isIdle()).isFalse();
        window.granted(10);
        assertThat(window.isIdle()).isTrue();
    }

    @Test
    void aGrantThatIsOlderThanAnotherChangesNothing() {
        window.sent(10);
        window.granted(8);
        window.granted(3);
        assertThat(window.room()).isEqualTo(8);
    }

    @Test
    void aGrantOfWhatWasNotSentIsIgnored() {
        window.sent(4);
        window.granted(5);
        assertThat(window.room()).isEqualTo(6);
    }
}
