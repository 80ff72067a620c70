// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hcaactors.adapter.state.Rig;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.work.Send;
import org.junit.jupiter.api.Test;

/** Ledger of requests: positions are never reused, slots are. */
class SendLedgerTest {
    private static PostedRequest send(long id) {
        return new PostedRequest(Send.of(id).withSignaled(), CompletionKind.SEND, 0, PostedRequest.Extras.NONE);
    }

    @Test
    void everyPlaceOfAFullQueueIsUsed() {
        Rig rig = new Rig();
        int places = QpCapacity.DEFAULT.maxSendWr();
        rig.lets = (from, packet) -> false;
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < places; i++) {
                rig.a.machine.postSend(send(i), rig.a.turn);
            }
            rig.run();
            assertThat(rig.wire).hasSize((round + 1) * places);
            rig.inject(
                    rig.a,
                    org.hcaactors.fabric.packet.Opcode.RC_ACKNOWLEDGE,
                    99 + (round + 1) * places,
                    0,
                    new org.hcaactors.fabric.packet.ExtendedHeader.Aeth(org.hcaactors.fabric.packet.Syndrome.ACK, 0));
        }
        assertThat(rig.a.sends).hasSize(2 * places);
        assertThat(rig.a.sends).extracting(WorkCompletion::status).containsOnly(Status.SUCCESS);
    }

    @Test
    void onlyPositionsInTheQueueCanBeRead() {
        Side side = new Side("x", 1, 1, Profile.CONNECTX_5, false);
        SendLedger queue = new SendLedger(new QpSettings(1, 1, false), 2);
        queue.add(send(1));
        queue.add(send(2));
        assertThatThrownBy(() -> queue.at(2))
                .hasMessage("no request is at position 2; positions from 0 to below 2 exist");
        queue.start();
        queue.completeHead(null, side.turn);
        assertThatThrownBy(() -> queue.at(0))
                .hasMessage("no request is at position 0; positions from 1 to below 2 exist");
        queue.add(send(3));
        assertThatThrownBy(() -> queue.at(0))
                .hasMessage("no request is at position 0; positions from 1 to below 3 exist");
        assertThat(queue.at(1).work().id()).isEqualTo(2);
        assertThat(queue.at(2).work().id()).isEqualTo(3);
    }
}
