// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.adapter.flow.NoReceive;
import org.hcaactors.adapter.flow.StateReason;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpState;
import org.junit.jupiter.api.Test;

/** Context of one input to the machines of a queue pair. */
class TurnTest {
    private final Side side = new Side("x", 0x11, 1, Profile.CONNECTX_5, false);
    private final List<Long> readings = new ArrayList<>(List.of(5L, 7L));
    private final Turn turn = new Turn(readings::removeFirst, side, side);

    @Test
    void timeIsConstantWithinATurn() {
        assertThat(turn.now()).isEqualTo(5);
        assertThat(turn.now()).isEqualTo(5);
        turn.begin();
        assertThat(turn.now()).isEqualTo(7);
    }

    @Test
    void theClockIsReadOnlyIfATimeIsNeeded() {
        turn.handles(1);
        turn.failed(NoReceive.STARVED);
        turn.begin();
        assertThat(readings).hasSize(2);
    }

    @Test
    void effectsAreCausedByTheHandledEvent() {
        turn.handles(3);
        assertThat(turn.because(4)).isEqualTo(3);
        assertThat(turn.input())
                .as("an answer is caused by its request, also after later events")
                .isEqualTo(3);
        turn.begin();
        assertThat(turn.input()).isZero();
        assertThat(turn.because(0)).isZero();
    }

    @Test
    void aFailureIsTheCauseOfLaterEffects() {
        turn.handles(3);
        turn.failed(NoReceive.NONE_IS_POSTED);
        turn.stateChanged(QpState.RTS, QpState.ERR, StateReason.A_REQUEST_FAILED);
        assertThat(side.statesBecause).containsExactly(Side.FAILED - 1);
    }
}
