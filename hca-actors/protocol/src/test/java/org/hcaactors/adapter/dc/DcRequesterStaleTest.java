// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.fabric.packet.Operation.ATOMIC_ACKNOWLEDGE;

import org.hcaactors.adapter.flow.SessionStep;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.api.completion.Status;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Responses that an initiator accepts, and those of another session (the page dc of the rule book). */
class DcRequesterStaleTest {
    private final DcRig desk = new DcRig();

    // rules dc-session, dc-disconnect
    @Test
    void aLateAnswerToADisconnectCompletesNothingOfTheNextSession() {
        DcRig.TargetSide target = desk.target();
        Side initiator = desk.initiator();
        desk.add(initiator, target, 1);
        desk.runToQuiet();
        Packet left = desk.wire.getLast();
        assertThat(left.psn()).as("of the DISCONNECT").isEqualTo(DcRig.FIRST_PSN + 1);
        desk.loseAll();
        desk.write(initiator, target, 2);
        desk.run();
        desk.arrive(left);
        assertThat(initiator.sends).as("no target has executed it").hasSize(1);
        desk.loseNothing();
        desk.runToQuiet();
        assertThat(initiator.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS);
    }

    // rules dc-session, dc-connect
    @ParameterizedTest
    @CsvSource({"-1, false", "-1, true", "-5, false", "-5, true"})
    void aLateAnswerOfTheLastSessionConnectsNothing(int behind, boolean full) {
        DcRig.TargetSide target = desk.target();
        Side initiator = desk.initiator(full);
        desk.write(initiator, target, 1);
        desk.runToQuiet();
        int old = desk.wire.getLast().dcEth().sessionId();
        desk.lets = (nth, packet) -> packet.operation().isResponse();
        desk.write(initiator, target, 2);
        desk.run();
        desk.arrive(DcPackets.answer(target, initiator, 1, old, DcRig.FIRST_PSN + 1 + behind, Syndrome.ACK));
        assertThat(initiator.steps).endsWith(SessionStep.CONNECTING);
        assertThat(initiator.discarded).isNotEmpty();
    }

    // rule dc-session
    @Test
    void anAnswerOfAnotherTargetIsIgnored() {
        DcRig.TargetSide one = desk.target();
        DcRig.TargetSide two = desk.target();
        Side initiator = unheardAt(one);
        isIgnored(initiator, DcPackets.answer(two, initiator, 1, 7, DcRig.FIRST_PSN, Syndrome.ACK));
    }

    // rule dc-session
    @Test
    void whileConnectedOnlyItsOwnSessionAnswers() {
        DcRig.TargetSide target = desk.target();
        Side initiator = desk.initiator();
        desk.write(initiator, target, 1);
        desk.run();
        int session = desk.wire.getLast().dcEth().sessionId();
        desk.loseAll();
        desk.write(initiator, target, 2);
        desk.run();
        desk.arrive(DcPackets.answer(target, initiator, 1, session + 1, DcRig.FIRST_PSN + 1, Syndrome.ACK));
        assertThat(initiator.sends).hasSize(1);
        desk.arrive(DcPackets.answer(target, initiator, 1, session, DcRig.FIRST_PSN + 1, Syndrome.ACK));
        assertThat(initiator.sends).hasSize(2);
    }

    // rule dc-version
    @Test
    void anAckOfTheOtherGenerationIsIgnored() {
        DcRig.TargetSide target = desk.target();
        Side initiator = unheardAt(target);
        isIgnored(initiator, DcPackets.answer(target, initiator, 0, 7, DcRig.FIRST_PSN, Syndrome.ACK));
    }

    private Side unheardAt(DcRig.TargetSide target) {
        Side initiator = desk.initiator();
        desk.loseAll();
        desk.write(initiator, target, 1);
        desk.run();
        return initiator;
    }

    private void isIgnored(Side initiator, Packet answer) {
        desk.arrive(answer);
        assertThat(initiator.sends).isEmpty();
        assertThat(initiator.discarded).hasSize(1);
    }

    // rule dc-forgotten
    @Test
    void anUnknownSessionIsARemoteOperationError() {
        DcRig.TargetSide target = desk.target();
        Side initiator = desk.initiator();
        desk.add(initiator, target, 1);
        desk.run();
        desk.lets = (nth, packet) -> packet.operation() != ATOMIC_ACKNOWLEDGE;
        desk.add(initiator, target, 2);
        desk.run();
        // Another target with the same number is there now.
        desk.targets.clear();
        DcRig.TargetSide fresh = desk.target();
        assertThat(fresh.number).isEqualTo(target.number);
        desk.loseNothing();
        desk.runToQuiet();
        assertThat(initiator.sendStatuses()).containsExactly(Status.SUCCESS, Status.REM_OP_ERR);
    }
}
