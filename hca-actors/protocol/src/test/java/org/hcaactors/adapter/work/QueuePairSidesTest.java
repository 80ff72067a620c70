// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hcaactors.adapter.state.Rig;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.Packet;
import org.junit.jupiter.api.Test;

/** A kind of queue pair may have only one half. */
class QueuePairSidesTest {
    private final Rig rig = new Rig();
    private final Side side = new Side("x", 1, 1, Profile.CONNECTX_5, false);

    private Packet packet() {
        rig.a.post(rig.write(1, 8));
        rig.lets = (from, packet) -> false;
        rig.run();
        return rig.wire.getFirst();
    }

    @Test
    void withoutAnInitiatorNothingIsSentAndNoResponseAccepted() {
        assertThat(Initiator.NONE.transmit(8, true, side.turn)).isZero();
        assertThat(Initiator.NONE.refusal(packet(), QpState.RTS)).isPresent();
        assertThat(Initiator.NONE.settle(side.turn)).isEqualTo(SideStatus.RUNNING);
        assertThat(Initiator.NONE.isBusy()).isFalse();
        assertThat(Initiator.NONE.nextDeadline()).isEqualTo(Long.MAX_VALUE);
        assertThatThrownBy(() -> Initiator.NONE.response(packet(), side.turn))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void withoutATargetNoRequestIsAcceptedAndNoResponsePending() {
        assertThat(Target.NONE.refusal(packet(), side.turn)).isPresent();
        assertThat(Target.NONE.transmit(8, side.turn)).isZero();
        assertThat(Target.NONE.pendingResponses()).isZero();
        assertThat(Target.NONE.settle(side.turn)).isEqualTo(SideStatus.RUNNING);
        assertThatThrownBy(() -> Target.NONE.request(packet(), side.turn)).isInstanceOf(IllegalArgumentException.class);
    }
}
