// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.fabric.packet.Operation.CONNECT;
import static org.hcaactors.fabric.packet.Operation.DISCONNECT;
import static org.hcaactors.fabric.packet.Operation.FETCH_ADD;

import org.hcaactors.adapter.flow.SessionStep;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An initiator without responses (the page dc of the rule book). */
class DcRequesterLossTest {
    private static final long RNR = 640_000;

    private final DcRig desk = new DcRig();

    // rules dc-connect-lost, dc-reconnect
    @ParameterizedTest
    @CsvSource({
        "CONNECT, false", "CONNECT, true",
        "FETCH_ADD, false", "FETCH_ADD, true",
        "ACKNOWLEDGE, false", "ACKNOWLEDGE, true"
    })
    void aLostPacketIsResentAndExecutedOnce(Operation lost, boolean full) {
        DcRig.TargetSide target = desk.target();
        Side initiator = desk.initiator(full);
        desk.lose(lost, 1);
        desk.add(initiator, target, 1);
        desk.runToQuiet();
        assertThat(initiator.sendStatuses()).containsExactly(Status.SUCCESS);
        assertThat(target.sum()).isOne();
    }

    // rule dc-connect-lost
    @ParameterizedTest
    @CsvSource({"0, false", "3, false", "0, true", "3, true"})
    void aSilentTargetGetsTheConnectAsOftenAsTheRetryCount(int retries, boolean full) {
        DcRig.TargetSide target = desk.target();
        desk.loseAll();
        Side initiator = desk.initiator(DcRig.TERMS.withRetryCount(retries), full);
        desk.add(initiator, target, 1);
        desk.runToQuiet();
        assertThat(desk.of(CONNECT)).hasSize(retries + 1);
        assertThat(desk.of(CONNECT).subList(1, retries + 1))
                .allMatch(p -> p.dcConnectEth().reconnect());
        assertThat(initiator.sendStatuses()).containsExactly(Status.RETRY_EXC_ERR);
    }

    // rule dc-reconnect
    @Test
    void anUnansweredRequestIsResentBehindAReconnect() {
        DcRig.TargetSide target = desk.target();
        Side initiator = desk.initiator();
        desk.add(initiator, target, 1);
        desk.run();
        int session = desk.wire.getLast().dcEth().sessionId();
        desk.lose(FETCH_ADD, 1);
        desk.add(initiator, target, 2);
        desk.runUntil(DcRig.IDLE);
        desk.runToQuiet();
        assertThat(initiator.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS);
        Packet again = desk.of(CONNECT).get(1);
        assertThat(again.dcConnectEth().reconnect()).isTrue();
        assertThat(again.dcEth().sessionId()).isEqualTo(session);
        assertThat(again.dcConnectEth().nextPsn()).isEqualTo(DcRig.FIRST_PSN + 1);
        assertThat(target.sum()).isEqualTo(2);
    }

    // rules dc-connect-lost, dc-cnak
    @Test
    void byTheFullHandshakeAConnectThatIsLostBehindACnakIsAskedAgain() {
        DcRig.TargetSide target = desk.target();
        Side initiator = desk.initiator(true);
        desk.add(initiator, target, 1);
        desk.run();
        // The answer is lost; then the target has too few responders; then a CONNECT is lost.
        int[] connects = {0};
        desk.lets = (nth, packet) -> switch (packet.operation()) {
            case FETCH_ADD -> false;
            case CONNECT -> {
                connects[0]++;
                if (connects[0] == 1) {
                    desk.arrive(DcPackets.answer(target, initiator, 1, 0, packet.psn(), Syndrome.NAK_CONNECT));
                }
                yield false;
            }
            default -> true;
        };
        desk.add(initiator, target, 2);
        desk.run();
        desk.runUntil(desk.now + DcRig.TIMEOUT + RNR + 10);
        assertThat(connects[0]).isEqualTo(2);
        desk.loseNothing();
        desk.runToQuiet();
        assertThat(initiator.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS);
    }

    // rule dc-disconnect
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aDisconnectThatIsLostIsSentAgain(int times) {
        DcRig.TargetSide target = desk.target();
        Side initiator = desk.initiator();
        int[] lost = {0};
        desk.lets = (nth, packet) -> packet.operation() != DISCONNECT || lost[0]++ >= times;
        desk.add(initiator, target, 1);
        desk.runToQuiet();
        assertThat(desk.of(DISCONNECT)).hasSize(times + 1);
        assertThat(initiator.steps).endsWith(SessionStep.DISCONNECTED);
        assertThat(target.responders).isEmpty();
        assertThat(initiator.machine.state()).isEqualTo(QpState.RTS);
    }

    // rule dc-disconnect
    @Test
    void anUnansweredDisconnectEndsAndTheNextTargetIsReached() {
        DcRig.TargetSide silent = desk.target();
        DcRig.TargetSide next = desk.target();
        Side initiator = desk.initiator();
        desk.lets = (nth, packet) ->
                packet.operation() != DISCONNECT || packet.bth().destQp() != silent.number;
        desk.add(initiator, silent, 1);
        desk.add(initiator, next, 2);
        desk.runToQuiet();
        assertThat(initiator.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS);
        assertThat(desk.of(DISCONNECT).stream().filter(p -> p.bth().destQp() == silent.number))
                .hasSize(4);
        assertThat(silent.responders).as("its responder fell asleep").isEmpty();
    }
}
