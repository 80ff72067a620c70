// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.fabric.packet.Operation.ACKNOWLEDGE;
import static org.hcaactors.fabric.packet.Operation.ATOMIC_ACKNOWLEDGE;
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
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an initiator sends, waits for and completes over DC (the page dc of the rule book). */
class DcRequesterTest {
    private static final long RNR = 640_000;

    private final DcDesk desk = new DcDesk();

    private void write(Side asker, DcDesk.Asked to, long id) {
        desk.post(asker, to, RdmaWrite.of(id, asker.slice(0, 8), to.host.remote(64)));
    }

    private List<Integer> firstPsns() {
        return desk.of(CONNECT).stream().map(p -> p.dcConnectEth().nextPsn()).toList();
    }

    // --- handshakes ---

    // rules dc-handshake, dc-connect
    @Test
    void byHalfAHandshakeConnectAndDataGoInOne() {
        DcDesk.Asked target = desk.target();
        Side asker = desk.asker();
        desk.lets = (nth, packet) -> false;
        write(asker, target, 1);
        desk.run();
        assertThat(desk.operations()).containsExactly(CONNECT, WRITE_ONLY);
        Packet connect = desk.wire.getFirst();
        assertThat(connect.psn()).isEqualTo(DcDesk.FIRST_PSN - 1);
        assertThat(connect.dcConnectEth().nextPsn()).isEqualTo(DcDesk.FIRST_PSN);
        assertThat(connect.dcConnectEth().reconnect()).isFalse();
        assertThat(connect.dcConnectEth().accessKey()).isEqualTo(DcDesk.KEY);
        assertThat(connect.bth().ackReq()).isTrue();
        assertThat(desk.wire.getLast().dcEth().sessionId()).isZero();
    }

    // rule dc-handshake
    @Test
    void byAFullOneDataWaitsForTheSession() {
        DcDesk.Asked target = desk.target();
        Side asker = desk.fullAsker();
        write(asker, target, 1);
        desk.run();
        assertThat(desk.operations()).containsExactly(CONNECT, ACKNOWLEDGE, WRITE_ONLY, ACKNOWLEDGE);
        assertThat(desk.wire.get(2).dcEth().sessionId())
                .isEqualTo(desk.wire.get(1).dcEth().sessionId())
                .isNotZero();
        assertThat(asker.sendStatuses()).containsExactly(Status.SUCCESS);
    }

    // rule dc-handshake
    @Test
    void whatATargetThatForcesTheFullOneDidNotTakeIsSentAgainAndCostsNoRetry() {
        DcDesk.Asked target =
                desk.target(new DcTerms(1, DcDesk.KEY, 64, 0, true, 64, 4 * DcDesk.IDLE, DcDesk.LIFETIME));
        Side asker = desk.asker(DcDesk.TERMS.withRetryCount(0), QpDescription.Options.DEFAULT, Profile.CONNECTX_5);
        desk.add(asker, target, 1);
        desk.run();
        assertThat(desk.of(FETCH_ADD)).hasSize(2);
        assertThat(asker.sendStatuses()).containsExactly(Status.SUCCESS);
        assertThat(target.sum()).isOne();
        assertThat(asker.counted(Counter.LOCAL_ACK_TIMEOUT_ERR)).isZero();
    }

    // --- told to come again ---

    // rule dc-cnak
    @ParameterizedTest
    @CsvSource({"0, 1", "1, 2", "6, 7"})
    void aCnakWaitsAsLongAsItsOwnTimerSaysAndSpendsAnRnrRetry(int retries, int asked) {
        for (boolean full : new boolean[] {false, true}) {
            DcDesk fresh = new DcDesk();
            DcDesk.Asked target =
                    fresh.target(new DcTerms(1, DcDesk.KEY, 4, 4, false, 64, 4 * DcDesk.IDLE, DcDesk.LIFETIME));
            QpDescription.Options options = QpDescription.Options.DEFAULT;
            Side asker = fresh.asker(
                    DcDesk.TERMS.withRnrRetry(retries),
                    full ? options.forcingFullHandshake() : options,
                    Profile.CONNECTX_5);
            fresh.add(asker, target, 1);
            fresh.runToQuiet();
            assertThat(fresh.of(CONNECT)).as("full: %s", full).hasSize(asked);
            assertThat(asker.sendStatuses()).containsExactly(Status.RNR_RETRY_EXC_ERR);
            assertThat(asker.waits).hasSize(retries).allMatch(wait -> wait.endsWith(" for " + RNR));
            assertThat(fresh.now).isBetween(retries * RNR, retries * RNR + DcIngress.REFUSING_NANOS);
            assertThat(asker.machine.state()).isEqualTo(QpState.ERR);
        }
    }

    // rule dc-cnak
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void sevenTimesIsForEver(boolean full) {
        DcDesk.Asked target =
                desk.target(new DcTerms(1, DcDesk.KEY, 4, 4, false, 64, 4 * DcDesk.IDLE, DcDesk.LIFETIME));
        QpDescription.Options options = QpDescription.Options.DEFAULT;
        Side asker = desk.asker(
                DcDesk.TERMS.withRnrRetry(7), full ? options.forcingFullHandshake() : options, Profile.CONNECTX_5);
        desk.add(asker, target, 1);
        desk.runUntil(100 * RNR + RNR / 2);
        assertThat(asker.sends).isEmpty();
        assertThat(desk.of(CONNECT)).hasSize(101);
    }

    // --- what is lost ---

    // rules dc-connect-lost, dc-reconnect
    @ParameterizedTest
    @CsvSource({
        "CONNECT, false", "CONNECT, true",
        "FETCH_ADD, false", "FETCH_ADD, true",
        "ACKNOWLEDGE, false", "ACKNOWLEDGE, true"
    })
    void whatIsLostIsAskedForAgainAndExecutedOnce(Operation lost, boolean full) {
        DcDesk.Asked target = desk.target();
        Side asker = full ? desk.fullAsker() : desk.asker();
        desk.lose(lost, 1);
        desk.add(asker, target, 1);
        desk.runToQuiet();
        assertThat(asker.sendStatuses()).containsExactly(Status.SUCCESS);
        assertThat(target.sum()).isOne();
    }

    // rule dc-connect-lost
    @ParameterizedTest
    @CsvSource({"0, false", "3, false", "0, true", "3, true"})
    void aTargetThatIsSilentIsAskedAsOftenAsRetriesSay(int retries, boolean full) {
        DcDesk.Asked target = desk.target();
        desk.lets = (nth, packet) -> false;
        QpDescription.Options options = QpDescription.Options.DEFAULT;
        Side asker = desk.asker(
                DcDesk.TERMS.withRetryCount(retries),
                full ? options.forcingFullHandshake() : options,
                Profile.CONNECTX_5);
        desk.add(asker, target, 1);
        desk.runToQuiet();
        assertThat(desk.of(CONNECT)).hasSize(retries + 1);
        assertThat(desk.of(CONNECT).subList(1, retries + 1))
                .allMatch(p -> p.dcConnectEth().reconnect());
        assertThat(asker.sendStatuses()).containsExactly(Status.RETRY_EXC_ERR);
    }

    // rule dc-reconnect
    @Test
    void whatIsNotAnsweredIsSentAgainBehindAConnectWithTheOldSession() {
        DcDesk.Asked target = desk.target();
        Side asker = desk.asker();
        desk.add(asker, target, 1);
        desk.run();
        int session = desk.wire.getLast().dcEth().sessionId();
        desk.lose(FETCH_ADD, 1);
        desk.add(asker, target, 2);
        desk.runUntil(DcDesk.IDLE);
        desk.runToQuiet();
        assertThat(asker.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS);
        Packet again = desk.of(CONNECT).get(1);
        assertThat(again.dcConnectEth().reconnect()).isTrue();
        assertThat(again.dcEth().sessionId()).isEqualTo(session);
        assertThat(again.dcConnectEth().nextPsn()).isEqualTo(DcDesk.FIRST_PSN + 1);
        assertThat(target.sum()).isEqualTo(2);
    }

    // rules dc-connect-lost, dc-cnak
    @Test
    void byTheFullHandshakeAConnectThatIsLostBehindACnakIsAskedAgain() {
        DcDesk.Asked target = desk.target();
        Side asker = desk.fullAsker();
        desk.add(asker, target, 1);
        desk.run();
        // The answer is not heard; then the target has too few responders; then a CONNECT is lost.
        int[] connects = {0};
        desk.lets = (nth, packet) -> switch (packet.operation()) {
            case FETCH_ADD -> false;
            case CONNECT -> {
                connects[0]++;
                if (connects[0] == 1) {
                    desk.arrive(DcDesk.answer(target, asker, 1, 0, packet.psn(), Syndrome.NAK_CONNECT));
                }
                yield false;
            }
            default -> true;
        };
        desk.add(asker, target, 2);
        desk.run();
        desk.runUntil(desk.now + DcDesk.TIMEOUT + RNR + 10);
        assertThat(connects[0]).isEqualTo(2);
        desk.lets = (nth, packet) -> true;
        desk.runToQuiet();
        assertThat(asker.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS);
    }

    // rule dc-disconnect
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aDisconnectThatIsLostIsSentAgain(int times) {
        DcDesk.Asked target = desk.target();
        Side asker = desk.asker();
        int[] lost = {0};
        desk.lets = (nth, packet) -> packet.operation() != DISCONNECT || lost[0]++ >= times;
        desk.add(asker, target, 1);
        desk.runToQuiet();
        assertThat(desk.of(DISCONNECT)).hasSize(times + 1);
        assertThat(asker.steps).endsWith(SessionStep.DISCONNECTED);
        assertThat(target.responders).isEmpty();
        assertThat(asker.machine.state()).isEqualTo(QpState.RTS);
    }

    // rule dc-disconnect
    @Test
    void aDisconnectThatIsNeverAnsweredEndsAllTheSameAndTheNextTargetIsReached() {
        DcDesk.Asked silent = desk.target();
        DcDesk.Asked next = desk.target();
        Side asker = desk.asker();
        desk.lets = (nth, packet) ->
                packet.operation() != DISCONNECT || packet.bth().destQp() != silent.number;
        desk.add(asker, silent, 1);
        desk.add(asker, next, 2);
        desk.runToQuiet();
        assertThat(asker.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS);
        assertThat(desk.of(DISCONNECT).stream().filter(p -> p.bth().destQp() == silent.number))
                .hasSize(4);
        assertThat(silent.responders).as("its responder fell asleep").isEmpty();
    }

    // --- which target ---

    // rule dc-switch
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anotherTargetIsAskedWhenAllIsAcknowledgedByTheOneBefore(boolean full) {
        DcDesk.Asked one = desk.target();
        DcDesk.Asked two = desk.target();
        Side asker = full ? desk.fullAsker() : desk.asker();
        desk.add(asker, one, 1);
        desk.add(asker, two, 2);
        desk.add(asker, one, 3);
        desk.run();
        assertThat(asker.sends).extracting(WorkCompletion::workId).containsExactly(1L, 2L, 3L);
        assertThat(asker.sendStatuses()).containsOnly(Status.SUCCESS);
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
        DcDesk.Asked target = desk.target();
        Side asker = desk.asker();
        for (int id = 1; id <= 20; id++) {
            desk.add(asker, target, id);
        }
        desk.run();
        assertThat(asker.sends).hasSize(20);
        assertThat(desk.of(CONNECT)).hasSize(1);
        assertThat(target.all).hasSize(1);
    }

    // rules dc-reuse, dc-key
    @Test
    void anotherKeyForTheSameTargetIsAnotherSession() {
        DcDesk.Asked target = desk.target();
        Side asker = desk.asker();
        desk.add(asker, target, 1);
        desk.post(asker, target, DcDesk.KEY + 1, RdmaWrite.of(2, asker.slice(0, 8), target.host.remote(0)));
        desk.run();
        assertThat(desk.of(CONNECT)).hasSize(2);
        assertThat(asker.sendStatuses()).containsExactly(Status.SUCCESS, Status.REM_ACCESS_ERR);
    }

    // rule dc-key
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aWrongKeyEndsTheInitiatorAndFlushesWhatIsForOthers(boolean full) {
        DcDesk.Asked target = desk.target();
        DcDesk.Asked other = desk.target();
        Side asker = full ? desk.fullAsker() : desk.asker();
        desk.post(asker, target, DcDesk.KEY + 1, RdmaWrite.of(1, asker.slice(0, 8), target.host.remote(0)));
        desk.add(asker, other, 2);
        desk.run();
        assertThat(asker.sendStatuses()).containsExactly(Status.REM_ACCESS_ERR, Status.WR_FLUSH_ERR);
        assertThat(asker.counted(Counter.REQ_REMOTE_ACCESS_ERRORS)).isOne();
        assertThat(asker.machine.state()).isEqualTo(QpState.ERR);
        assertThat(other.fates).isEmpty();
    }

    // --- idleness ---

    // rule dc-idle
    @Test
    void withNothingToSayItDisconnectsAfterTheIdleTime() {
        DcDesk.Asked target = desk.target();
        Side asker = desk.asker();
        desk.add(asker, target, 1);
        desk.runUntil(DcDesk.IDLE - 1);
        assertThat(desk.of(DISCONNECT)).isEmpty();
        desk.runUntil(DcDesk.IDLE);
        assertThat(desk.of(DISCONNECT)).hasSize(1);
        assertThat(target.responders).isEmpty();
        assertThat(asker.steps)
                .containsExactly(
                        SessionStep.CONNECTING,
                        SessionStep.CONNECTED,
                        SessionStep.DISCONNECTING,
                        SessionStep.DISCONNECTED);
    }

    // rule dc-idle
    @Test
    void whatIsSaidMeanwhileKeepsTheSession() {
        DcDesk.Asked target = desk.target();
        Side asker = desk.asker();
        for (int id = 1; id <= 5; id++) {
            desk.add(asker, target, id);
            desk.runUntil(desk.now + DcDesk.IDLE - 1);
        }
        assertThat(desk.of(CONNECT)).hasSize(1);
        assertThat(desk.of(DISCONNECT)).isEmpty();
    }

    // --- PSNs ---

    // rule dc-psn
    @Test
    void psnsRunOnOverSessionsAndResetAndTheFirstCountsOnce() {
        DcDesk.Asked target = desk.target();
        Side asker = desk.asker();
        desk.add(asker, target, 1);
        desk.runToQuiet();
        desk.add(asker, target, 2);
        desk.runToQuiet();
        asker.machine.modify(QpModify.to(QpState.RESET), asker.at(desk.now));
        desk.open(asker, DcDesk.TERMS);
        desk.add(asker, target, 3);
        desk.runToQuiet();
        assertThat(firstPsns())
                .as("each session's end takes one, too")
                .containsExactly(DcDesk.FIRST_PSN, DcDesk.FIRST_PSN + 2, DcDesk.FIRST_PSN + 4);
        assertThat(target.sum()).isEqualTo(3);
    }

    // rules dc-psn, dc-error
    @Test
    void anInitiatorThatFailedIsBroughtBackAndReplacesItsSession() {
        DcDesk.Asked target = desk.target();
        Side asker = desk.asker();
        desk.add(asker, target, 1);
        desk.run();
        asker.machine.modify(QpModify.to(QpState.ERR), asker.at(desk.now));
        asker.machine.modify(QpModify.to(QpState.RESET), asker.at(desk.now));
        desk.open(asker, DcDesk.TERMS);
        desk.add(asker, target, 2);
        desk.runUntil(DcDesk.TIMEOUT);
        assertThat(asker.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS);
        assertThat(target.sum()).isEqualTo(2);
    }

    // --- what is stale ---

    // rules dc-session, dc-disconnect
    @Test
    void aLateAnswerToADisconnectCompletesNothingOfTheNextSession() {
        DcDesk.Asked target = desk.target();
        Side asker = desk.asker();
        desk.add(asker, target, 1);
        desk.runToQuiet();
        Packet left = desk.wire.getLast();
        assertThat(left.psn()).as("of the DISCONNECT").isEqualTo(DcDesk.FIRST_PSN + 1);
        desk.lets = (nth, packet) -> false;
        write(asker, target, 2);
        desk.run();
        desk.arrive(left);
        assertThat(asker.sends).as("nobody has executed it").hasSize(1);
        desk.lets = (nth, packet) -> true;
        desk.runToQuiet();
        assertThat(asker.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS);
    }

    // rules dc-session, dc-connect
    @ParameterizedTest
    @CsvSource({"-1, false", "-1, true", "-5, false", "-5, true"})
    void aLateAnswerOfTheLastSessionConnectsNothing(int behind, boolean full) {
        DcDesk.Asked target = desk.target();
        Side asker = full ? desk.fullAsker() : desk.asker();
        write(asker, target, 1);
        desk.runToQuiet();
        int old = desk.wire.getLast().dcEth().sessionId();
        desk.lets = (nth, packet) -> packet.operation().isResponse();
        write(asker, target, 2);
        desk.run();
        desk.arrive(DcDesk.answer(target, asker, 1, old, DcDesk.FIRST_PSN + 1 + behind, Syndrome.ACK));
        assertThat(asker.steps).endsWith(SessionStep.CONNECTING);
        assertThat(asker.discarded).isNotEmpty();
    }

    // rule dc-session
    @Test
    void anAnswerOfAnotherTargetIsNone() {
        DcDesk.Asked one = desk.target();
        DcDesk.Asked two = desk.target();
        Side asker = desk.asker();
        desk.lets = (nth, packet) -> false;
        write(asker, one, 1);
        desk.run();
        desk.arrive(DcDesk.answer(two, asker, 1, 7, DcDesk.FIRST_PSN, Syndrome.ACK));
        assertThat(asker.sends).isEmpty();
        assertThat(asker.discarded).hasSize(1);
    }

    // rule dc-session
    @Test
    void whileConnectedOnlyItsOwnSessionAnswers() {
        DcDesk.Asked target = desk.target();
        Side asker = desk.asker();
        write(asker, target, 1);
        desk.run();
        int session = desk.wire.getLast().dcEth().sessionId();
        desk.lets = (nth, packet) -> false;
        write(asker, target, 2);
        desk.run();
        desk.arrive(DcDesk.answer(target, asker, 1, session + 1, DcDesk.FIRST_PSN + 1, Syndrome.ACK));
        assertThat(asker.sends).hasSize(1);
        desk.arrive(DcDesk.answer(target, asker, 1, session, DcDesk.FIRST_PSN + 1, Syndrome.ACK));
        assertThat(asker.sends).hasSize(2);
    }

    // rule dc-version
    @Test
    void theOtherGenerationIsNotHeard() {
        DcDesk.Asked target = desk.target();
        Side asker = desk.asker();
        desk.lets = (nth, packet) -> false;
        write(asker, target, 1);
        desk.run();
        desk.arrive(DcDesk.answer(target, asker, 0, 7, DcDesk.FIRST_PSN, Syndrome.ACK));
        assertThat(asker.sends).isEmpty();
        assertThat(asker.discarded).hasSize(1);
    }

    // rule dc-forgotten
    @Test
    void whereTheTargetKnowsNothingOfASessionWhatWasOutstandingIsARemoteOperationError() {
        DcDesk.Asked target = desk.target();
        Side asker = desk.asker();
        desk.add(asker, target, 1);
        desk.run();
        desk.lets = (nth, packet) -> packet.operation() != ATOMIC_ACKNOWLEDGE;
        desk.add(asker, target, 2);
        desk.run();
        // Another one stands there now, under the same number.
        desk.targets.clear();
        DcDesk.Asked fresh = desk.target();
        assertThat(fresh.number).isEqualTo(target.number);
        desk.lets = (nth, packet) -> true;
        desk.runToQuiet();
        assertThat(asker.sendStatuses()).containsExactly(Status.SUCCESS, Status.REM_OP_ERR);
    }
}
