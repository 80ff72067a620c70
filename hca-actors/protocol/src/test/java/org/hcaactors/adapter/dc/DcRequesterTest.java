// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.fabric.packet.Operation.ACKNOWLEDGE;
import static org.hcaactors.fabric.packet.Operation.CONNECT;
import static org.hcaactors.fabric.packet.Operation.DISCONNECT;
import static org.hcaactors.fabric.packet.Operation.FETCH_ADD;
import static org.hcaactors.fabric.packet.Operation.WRITE_ONLY;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.SessionStep;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.packet.Packet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections of a DC initiator: their targets, handshakes and lifetimes (the page dc of the rule book). */
class DcRequesterTest {
    private static final long RNR = 640_000;

    private final DcRig desk = new DcRig();

    private List<Integer> firstPsns() {
        return desk.of(CONNECT).stream().map(p -> p.dcConnectEth().nextPsn()).toList();
    }

    // --- handshakes ---

    // rules dc-handshake, dc-connect
    @Test
    void withAHalfHandshakeConnectAndDataAreSentTogether() {
        DcRig.TargetSide target = desk.target();
        Side initiator = desk.initiator();
        desk.loseAll();
        desk.write(initiator, target, 1);
        desk.run();
        assertThat(desk.operations()).containsExactly(CONNECT, WRITE_ONLY);
        Packet connect = desk.wire.getFirst();
        assertThat(connect.psn()).isEqualTo(DcRig.FIRST_PSN - 1);
        assertThat(connect.dcConnectEth().nextPsn()).isEqualTo(DcRig.FIRST_PSN);
        assertThat(connect.dcConnectEth().reconnect()).isFalse();
        assertThat(connect.dcConnectEth().accessKey()).isEqualTo(DcRig.KEY);
        assertThat(connect.bth().ackReq()).isTrue();
        assertThat(desk.wire.getLast().dcEth().sessionId()).isZero();
    }

    // rule dc-handshake
    @Test
    void withAFullHandshakeDataWaitForTheSession() {
        DcRig.TargetSide target = desk.target();
        Side initiator = desk.initiator(true);
        desk.write(initiator, target, 1);
        desk.run();
        assertThat(desk.operations()).containsExactly(CONNECT, ACKNOWLEDGE, WRITE_ONLY, ACKNOWLEDGE);
        assertThat(desk.wire.get(2).dcEth().sessionId())
                .isEqualTo(desk.wire.get(1).dcEth().sessionId())
                .isNotZero();
        assertThat(initiator.sendStatuses()).containsExactly(Status.SUCCESS);
    }

    // rule dc-handshake
    @Test
    void earlyDataThatAFullHandshakeDropsCostsNoRetry() {
        DcRig.TargetSide target = desk.target(DcRig.attributes(64, 0, true));
        Side initiator = desk.initiator(DcRig.TERMS.withRetryCount(0), false);
        desk.add(initiator, target, 1);
        desk.run();
        assertThat(desk.of(FETCH_ADD)).hasSize(2);
        assertThat(initiator.sendStatuses()).containsExactly(Status.SUCCESS);
        assertThat(target.sum()).isOne();
        assertThat(initiator.counted(Counter.LOCAL_ACK_TIMEOUT_ERR)).isZero();
    }

    // --- CNAK ---

    // rule dc-cnak
    @ParameterizedTest
    @CsvSource({"0, 1", "1, 2", "6, 7"})
    void aCnakWaitsAsLongAsItsOwnTimerSaysAndSpendsAnRnrRetry(int retries, int asked) {
        for (boolean full : new boolean[] {false, true}) {
            DcRig fresh = new DcRig();
            DcRig.TargetSide target = fresh.target(DcRig.attributes(4, 4, false));
            Side initiator = fresh.initiator(DcRig.TERMS.withRnrRetry(retries), full);
            fresh.add(initiator, target, 1);
            fresh.runToQuiet();
            assertThat(fresh.of(CONNECT)).as("full: %s", full).hasSize(asked);
            assertThat(initiator.sendStatuses()).containsExactly(Status.RNR_RETRY_EXC_ERR);
            assertThat(initiator.waits).hasSize(retries).allMatch(wait -> wait.endsWith(" for " + RNR));
            assertThat(fresh.now).isBetween(retries * RNR, retries * RNR + DcIngress.REFUSING_NANOS);
            assertThat(initiator.machine.state()).isEqualTo(QpState.ERR);
        }
    }

    // rule dc-cnak
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anRnrRetryCountOfSevenIsUnlimited(boolean full) {
        DcRig.TargetSide target = desk.target(DcRig.attributes(4, 4, false));
        Side initiator = desk.initiator(DcRig.TERMS.withRnrRetry(7), full);
        desk.add(initiator, target, 1);
        desk.runUntil(100 * RNR + RNR / 2);
        assertThat(initiator.sends).isEmpty();
        assertThat(desk.of(CONNECT)).hasSize(101);
    }

    // --- targets ---

    // rule dc-switch
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anotherTargetIsConnectedWhenAllRequestsAreAcknowledged(boolean full) {
        DcRig.TargetSide one = desk.target();
        DcRig.TargetSide two = desk.target();
        Side initiator = desk.initiator(full);
        desk.add(initiator, one, 1);
        desk.add(initiator, two, 2);
        desk.add(initiator, one, 3);
        desk.run();
        assertThat(initiator.sends).extracting(WorkCompletion::workId).containsExactly(1L, 2L, 3L);
        assertThat(initiator.sendStatuses()).containsOnly(Status.SUCCESS);
        List<String> talk = new ArrayList<>();
        for (Packet packet : desk.wire) {
            if (packet.operation() != ACKNOWLEDGE) {
                talk.add(packet.operation()
                        + (packet.operation().isResponse()
                                ? ""
                                : " " + packet.bth().destQp()));
            }
        }
        assertThat(talk)
                .containsExactly(
                        "CONNECT 80",
                        "FETCH_ADD 80",
                        "ATOMIC_ACKNOWLEDGE",
                        "DISCONNECT 80",
                        "CONNECT 81",
                        "FETCH_ADD 81",
                        "ATOMIC_ACKNOWLEDGE",
                        "DISCONNECT 81",
                        "CONNECT 80",
                        "FETCH_ADD 80",
                        "ATOMIC_ACKNOWLEDGE");
    }

    // rule dc-reuse
    @Test
    void requestsInARowToOneTargetShareASession() {
        DcRig.TargetSide target = desk.target();
        Side initiator = desk.initiator();
        for (int id = 1; id <= 20; id++) {
            desk.add(initiator, target, id);
        }
        desk.run();
        assertThat(initiator.sends).hasSize(20);
        assertThat(desk.of(CONNECT)).hasSize(1);
        assertThat(target.all).hasSize(1);
    }

    // rules dc-reuse, dc-key
    @Test
    void anotherKeyForTheSameTargetIsAnotherSession() {
        DcRig.TargetSide target = desk.target();
        Side initiator = desk.initiator();
        desk.add(initiator, target, 1);
        desk.post(initiator, target, DcRig.KEY + 1, RdmaWrite.of(2, initiator.slice(0, 8), target.host.remote(0)));
        desk.run();
        assertThat(desk.of(CONNECT)).hasSize(2);
        assertThat(initiator.sendStatuses()).containsExactly(Status.SUCCESS, Status.REM_ACCESS_ERR);
    }

    // rule dc-key
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aWrongKeyEndsTheInitiatorAndFlushesOtherRequests(boolean full) {
        DcRig.TargetSide target = desk.target();
        DcRig.TargetSide other = desk.target();
        Side initiator = desk.initiator(full);
        desk.post(initiator, target, DcRig.KEY + 1, RdmaWrite.of(1, initiator.slice(0, 8), target.host.remote(0)));
        desk.add(initiator, other, 2);
        desk.run();
        assertThat(initiator.sendStatuses()).containsExactly(Status.REM_ACCESS_ERR, Status.WR_FLUSH_ERR);
        assertThat(initiator.counted(Counter.REQ_REMOTE_ACCESS_ERRORS)).isOne();
        assertThat(initiator.machine.state()).isEqualTo(QpState.ERR);
        assertThat(other.fates).isEmpty();
    }

    // --- idle sessions ---

    // rule dc-idle
    @Test
    void anIdleInitiatorDisconnectsAfterTheIdleTime() {
        DcRig.TargetSide target = desk.target();
        Side initiator = desk.initiator();
        desk.add(initiator, target, 1);
        desk.runUntil(DcRig.IDLE - 1);
        assertThat(desk.of(DISCONNECT)).isEmpty();
        desk.runUntil(DcRig.IDLE);
        assertThat(desk.of(DISCONNECT)).hasSize(1);
        assertThat(target.responders).isEmpty();
        assertThat(initiator.steps)
                .containsExactly(
                        SessionStep.CONNECTING,
                        SessionStep.CONNECTED,
                        SessionStep.DISCONNECTING,
                        SessionStep.DISCONNECTED);
    }

    // rule dc-idle
    @Test
    void trafficKeepsTheSession() {
        DcRig.TargetSide target = desk.target();
        Side initiator = desk.initiator();
        for (int id = 1; id <= 5; id++) {
            desk.add(initiator, target, id);
            desk.runUntil(desk.now + DcRig.IDLE - 1);
        }
        assertThat(desk.of(CONNECT)).hasSize(1);
        assertThat(desk.of(DISCONNECT)).isEmpty();
    }

    // --- PSNs ---

    // rule dc-psn
    @Test
    void psnsRunOnOverSessionsAndResetAndTheFirstCountsOnce() {
        DcRig.TargetSide target = desk.target();
        Side initiator = desk.initiator();
        desk.add(initiator, target, 1);
        desk.runToQuiet();
        desk.add(initiator, target, 2);
        desk.runToQuiet();
        initiator.machine.modify(QpModify.to(QpState.RESET), initiator.at(desk.now));
        desk.open(initiator, DcRig.TERMS);
        desk.add(initiator, target, 3);
        desk.runToQuiet();
        assertThat(firstPsns())
                .as("each session's end takes one, too, and so does the CONNECT after a RESET")
                .containsExactly(DcRig.FIRST_PSN, DcRig.FIRST_PSN + 2, DcRig.FIRST_PSN + 5);
        assertThat(target.sum()).isEqualTo(3);
    }

    // rules dc-psn, dc-key
    @Test
    void anAnswerFromBeforeAResetDoesNotAnswerTheConnectAfterIt() {
        DcRig.TargetSide target = desk.target();
        Side initiator = desk.initiator();
        desk.lets = (nth, packet) -> !packet.operation().isResponse();
        desk.add(initiator, target, 1);
        desk.run();
        List<Packet> late = desk.wire.stream()
                .filter(packet -> packet.operation().isResponse())
                .toList();
        initiator.machine.modify(QpModify.to(QpState.RESET), initiator.at(desk.now));
        desk.open(initiator, DcRig.TERMS);
        desk.post(initiator, target, DcRig.KEY + 1, RdmaWrite.of(2, initiator.slice(0, 8), target.host.remote(0)));
        desk.lets = (nth, packet) -> packet.operation() == CONNECT;
        desk.run();
        assertThat(late).hasSize(2);
        late.forEach(packet -> initiator.machine.receive(packet, initiator.at(desk.now)));
        desk.lets = (nth, packet) -> true;
        desk.runToQuiet();
        assertThat(initiator.sendStatuses()).containsExactly(Status.REM_ACCESS_ERR);
        assertThat(target.sum()).isEqualTo(1);
    }

    // rules dc-psn, dc-error
    @Test
    void anInitiatorThatFailedIsBroughtBackAndReplacesItsSession() {
        DcRig.TargetSide target = desk.target();
        Side initiator = desk.initiator();
        desk.add(initiator, target, 1);
        desk.run();
        initiator.machine.modify(QpModify.to(QpState.ERR), initiator.at(desk.now));
        initiator.machine.modify(QpModify.to(QpState.RESET), initiator.at(desk.now));
        desk.open(initiator, DcRig.TERMS);
        desk.add(initiator, target, 2);
        desk.runUntil(DcRig.TIMEOUT);
        assertThat(initiator.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS);
        assertThat(target.sum()).isEqualTo(2);
    }
}
