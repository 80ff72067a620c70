// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.uc;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.adapter.state.Rig;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.junit.jupiter.api.Test;

/** Sends of an unreliable connection, turn by turn (rule uc-complete-on-wire; IBA 9.8.2). */
class UcRequesterTest {
    private static Rig rig() {
        return UcTest.rig(UcTest.TERMS, Profile.SOFT_ROCE);
    }

    @Test
    void onlyAMessageAboveTheLargestMessageIsTooLong() {
        int max = (int) Profile.SOFT_ROCE.port().maxMessageBytes();
        Rig rig = rig();
        rig.a.post(Send.of(1, rig.a.slice(0, max)));
        rig.run();
        assertThat(rig.a.sendStatuses()).as("its memory is shorter").containsExactly(Status.LOC_PROT_ERR);
        rig = rig();
        rig.a.post(Send.of(1, rig.a.slice(0, max), rig.a.slice(0, 1)));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.LOC_LEN_ERR);
        assertThat(rig.a.failures)
                .containsExactly("a message of " + (max + 1L) + " bytes; at most " + max + " are allowed");
    }

    @Test
    void inlineDataNeedsNoKey() {
        Rig rig = rig();
        Send send = Send.of(9, rig.a.slice(0xBAD00, 0, 3)).withInline();
        Octets bytes = Octets.copyOf(new byte[] {1, 2, 3});
        PostedRequest.Extras extras = PostedRequest.Extras.of(bytes, null, null, 0);
        rig.a.machine.postSend(new PostedRequest(send, PostedRequest.kindOf(send), 3, extras), rig.a.turn);
        rig.run();
        assertThat(rig.wire)
                .singleElement()
                .satisfies(packet -> assertThat(packet.payload()).isEqualTo(bytes));
        assertThat(rig.a.failures).isEmpty();
    }

    /** A message of three packets, one of which is sent when the lease is revoked. */
    private static Rig sendingWithoutLease() {
        Rig rig = rig();
        rig.a.post(Send.of(1, rig.a.slice(0, 700)).withSignaled());
        rig.a.machine.transmit(1, rig.a.at(0));
        rig.answerLeases(rig.a);
        assertThat(rig.a.machine.transmit(1, rig.a.at(0))).isOne();
        rig.a.machine.leaseRevoked(Side.KEY, rig.a.turn);
        assertThat(rig.a.machine.transmit(1, rig.a.at(0))).isZero();
        return rig;
    }

    @Test
    void aMessageContinuesWhenItsMemoryIsLeasedAgain() {
        Rig rig = sendingWithoutLease();
        rig.run();
        assertThat(rig.opcodes()).containsExactly(Opcode.UC_SEND_FIRST, Opcode.UC_SEND_MIDDLE, Opcode.UC_SEND_LAST);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
    }

    @Test
    void aMessageWhoseMemoryIsLostFailsWithinIt() {
        Rig rig = sendingWithoutLease();
        rig.a.keys.clear();
        rig.run();
        assertThat(rig.opcodes()).containsExactly(Opcode.UC_SEND_FIRST);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.LOC_PROT_ERR);
        assertThat(rig.a.machine.state()).isEqualTo(QpState.SQE);
    }
}
