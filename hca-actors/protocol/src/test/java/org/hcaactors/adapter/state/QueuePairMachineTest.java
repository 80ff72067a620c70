// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.lease.LeaseCache;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The queue pair without its transport's details: states, posts, leases, and reported events (the page qp of the rule book). */
class QueuePairMachineTest {
    private static PostedRequest posted(RdmaWrite write) {
        return new PostedRequest(write, PostedRequest.kindOf(write), write.lengthBytes(), PostedRequest.Extras.NONE);
    }

    // --- posts ---

    // rule qp-reset
    @Test
    void requestsPostedInResetAreDroppedAndTakeNoSlot() {
        Rig rig = new Rig();
        rig.a.machine.modify(QpModify.to(QpState.RESET), rig.a.turn);
        assertThat(rig.a.machine.postSend(posted(rig.write(5, 8)), rig.a.turn)).isFalse();
        assertThat(rig.a.machine.postReceive(Receive.of(6), rig.a.turn)).isFalse();
        assertThat(rig.a.dropped).containsExactly(5L);
        assertThat(rig.a.hasNothingToSend()).isTrue();
        rig.a.machine.modify(Rig.TERMS.toInit(), rig.a.turn);
        rig.a.machine.modify(QpModify.to(QpState.ERR), rig.a.turn);
        assertThat(rig.a.receives).isEmpty();
        assertThat(rig.a.sends).isEmpty();
    }

    // rule qp-flush
    @Test
    void requestsPostedInErrAreFlushedAtOnce() {
        Rig rig = new Rig();
        rig.a.machine.modify(QpModify.to(QpState.ERR), rig.a.turn);
        assertThat(rig.a.machine.postSend(posted(rig.write(5, 8)), rig.a.turn)).isTrue();
        assertThat(rig.a.machine.postReceive(Receive.of(6), rig.a.turn)).isTrue();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.WR_FLUSH_ERR);
        assertThat(rig.a.receiveStatuses()).containsExactly(Status.WR_FLUSH_ERR);
        assertThat(rig.a.counted(Counter.REQ_CQE_FLUSH_ERROR)).isOne();
        assertThat(rig.a.counted(Counter.RESP_CQE_FLUSH_ERROR)).isOne();
    }

    /** Most turns start no timer, and reading the clock is expensive. */
    @Test
    void theClockIsReadOnlyWhereATimerStarts() {
        Rig rig = new Rig();
        rig.a.post(rig.write(1, 8));
        rig.run();
        assertThat(rig.wire).as("the request and its answer").hasSize(2);
        assertThat(rig.a.timesRead).as("its local ACK timer started").isOne();
        assertThat(rig.b.timesRead).as("it has only answered").isZero();
    }

    // --- reported events ---

    @Test
    void everyStateChangeIsReported() {
        Rig rig = new Rig();
        rig.a.machine.modify(QpModify.to(QpState.SQD), rig.a.turn);
        rig.a.machine.modify(QpModify.to(QpState.RTS), rig.a.turn);
        rig.a.machine.modify(QpModify.to(QpState.ERR), rig.a.turn);
        rig.a.machine.modify(QpModify.to(QpState.RESET), rig.a.turn);
        assertThat(rig.a.states)
                .containsExactly(
                        QpState.INIT, QpState.RTR, QpState.RTS, QpState.SQD, QpState.RTS, QpState.ERR, QpState.RESET);
    }

    @Test
    void flushMovesToErrAndReportsItOnce() {
        Rig rig = new Rig();
        rig.a.postReceive(Receive.of(1));
        rig.a.machine.flush(rig.a.turn);
        rig.a.machine.flush(rig.a.turn);
        assertThat(rig.a.machine.state()).isEqualTo(QpState.ERR);
        assertThat(rig.a.receiveStatuses()).containsExactly(Status.WR_FLUSH_ERR);
        assertThat(rig.a.states).containsOnlyOnce(QpState.ERR);
    }

    @Test
    void closingInResetStaysThere() {
        Rig rig = new Rig();
        rig.a.machine.modify(QpModify.to(QpState.RESET), rig.a.turn);
        rig.a.machine.flush(rig.a.turn);
        assertThat(rig.a.machine.state()).isEqualTo(QpState.RESET);
    }

    @Test
    void destroyingDropsRequestsAndReceivesAndReturnsTheLeases() {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> false;
        rig.a.postReceive(Receive.of(9));
        rig.a.post(rig.write(1, 8));
        rig.run();
        rig.a.machine.reset(rig.a.turn);
        assertThat(rig.a.dropped).containsExactly(1L);
        assertThat(rig.a.released).hasSize(1);
        assertThat(rig.a.sends).isEmpty();
        assertThat(rig.a.receives).isEmpty();
        assertThat(rig.a.machine.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void receivesOfBeforeAResetAreGoneAfterIt() {
        Rig rig = new Rig();
        rig.b.postReceive(Receive.of(1, rig.b.slice(0, 64)));
        rig.b.machine.modify(QpModify.to(QpState.RESET), rig.b.turn);
        rig.b.machine.modify(rig.attributes.toInit(), rig.b.turn);
        rig.b.machine.modify(QpModify.to(QpState.ERR), rig.b.turn);
        assertThat(rig.b.receives).isEmpty();
    }

    // --- turns that end in a change of state ---

    // rule rc-retry-count
    @Test
    void theTimeoutThatSpendsTheLastRetryTakesTheQueuePairToErr() {
        Rig rig = new Rig(Rig.TERMS.withTimeoutCode(8).withRetryCount(0));
        rig.lets = (from, packet) -> false;
        rig.a.post(rig.write(1, 8));
        rig.run();
        rig.a.machine.timeout(rig.a.at(rig.nextDeadline()));
        assertThat(rig.a.machine.state()).isEqualTo(QpState.ERR);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.RETRY_EXC_ERR);
        assertThat(rig.a.gaveUpAt).containsExactly(100);
        assertThat(rig.a.counted(Counter.REQ_CQE_ERROR)).isOne();
    }

    @Test
    void aLeaseThatIsRefusedToAReadTakesTheQueuePairToErr() {
        Rig rig = new Rig();
        rig.answersLeases = false;
        rig.a.post(RdmaRead.of(1, rig.a.slice(0, 8), rig.b.remote(0)));
        rig.run();
        rig.b.machine.leaseGranted(rig.b.lease(rig.b.asked.remove()), rig.b.at(rig.now));
        rig.run();
        rig.a.machine.leaseRefused(rig.a.asked.remove(), new Denial.Unregistered(), rig.a.at(rig.now));
        assertThat(rig.a.machine.state()).isEqualTo(QpState.ERR);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.LOC_PROT_ERR);
    }

    @Test
    void inErrNothingIsSentAndNothingIsTaken() {
        Rig rig = new Rig();
        rig.a.machine.modify(QpModify.to(QpState.ERR), rig.a.turn);
        rig.a.post(rig.write(1, 8));
        assertThat(rig.a.machine.transmit(64, rig.a.at(rig.now))).isZero();
        rig.inject(rig.a, Opcode.RC_SEND_ONLY, 100, 8);
        assertThat(rig.a.discarded).containsExactly("the queue pair is in ERR");
    }

    // --- silent drops ---

    // rule qp-packet-filter
    @Test
    void aPacketOfAnotherTransportVersionIsDropped() {
        Rig rig = new Rig();
        dropped(
                rig,
                bth -> new Bth(
                        bth.opcode(),
                        false,
                        true,
                        (byte) 0,
                        (byte) 1,
                        0xFFFF,
                        false,
                        false,
                        (byte) 0,
                        0x22,
                        true,
                        (byte) 0,
                        bth.psn()));
        assertThat(rig.b.discarded).containsExactly("transport version 1");
    }

    // rule qp-packet-filter
    @Test
    void aPacketOfAnotherTransportIsDropped() {
        Rig rig = new Rig();
        dropped(rig, bth -> Bth.of(Opcode.UC_SEND_ONLY, false, true, 0, 0xFFFF, 0x22, true, bth.psn()));
        assertThat(rig.b.discarded).containsExactly("UC_SEND_ONLY for a queue pair of class RC");
    }

    // rule qp-pkey
    @Test
    void aPacketWithAnotherPartitionKeyIsDroppedAndCounted() {
        Rig rig = new Rig();
        dropped(rig, bth -> Bth.of(bth.opcode(), false, true, 0, 0x8001, 0x22, true, bth.psn()));
        assertThat(rig.b.discarded).containsExactly("P_Key 0x8001; this queue pair's is 0xffff");
        assertThat(rig.b.counted(Counter.BAD_PKEY_CNTR)).isOne();
    }

    private static void dropped(Rig rig, java.util.function.UnaryOperator<Bth> change) {
        rig.b.postReceive(Receive.of(1));
        rig.a.post(Send.of(1));
        rig.run(rig.a);
        Packet packet = rig.a.out.remove();
        rig.b.machine.receive(packet.withBth(change.apply(packet.bth())), rig.b.at(rig.now));
        rig.run(rig.b);
        assertThat(rig.b.out).isEmpty();
        assertThat(rig.b.receives).isEmpty();
    }

    // rule qp-packet-filter
    @Test
    void aResponseInRtrIsDropped() {
        Rig rig = new Rig();
        rig.a.machine.modify(QpModify.to(QpState.RESET), rig.a.turn);
        rig.a.machine.modify(rig.attributes.toInit(), rig.a.turn);
        rig.readyToReceive(rig.a, rig.b);
        rig.inject(rig.a, Opcode.RC_READ_RESPONSE_MIDDLE, 100, 8);
        assertThat(rig.a.discarded).containsExactly("a response while the queue pair is in RTR");
    }

    // --- leases ---

    @Test
    void aRefusedLeaseIsRequestedAgainInALaterTurn() {
        Rig rig = new Rig();
        int key = 0x777_00;
        rig.b.machine.leaseRefused(key, new Denial.Unregistered(), rig.b.at(rig.now));
        rig.b.machine.endTurn();
        rig.b.grant(key, Access.REMOTE_WRITE, Access.LOCAL_WRITE);
        rig.a.post(RdmaWrite.of(
                        1, rig.a.slice(0, 8), new org.hcaactors.api.memory.RemoteAddress(key, rig.b.memory.address()))
                .withSignaled());
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
    }

    // rule memory-leases-bounded
    @Test
    void theLeaseAboveTheLimitIsReturned() {
        Rig rig = new Rig();
        for (int i = 0; i <= LeaseCache.CAPACITY; i++) {
            rig.a.grant(0x900_00 + i, Access.LOCAL_WRITE);
            rig.a.post(RdmaWrite.of(i, rig.a.slice(0x900_00 + i, 0, 8), rig.b.remote(0))
                    .withSignaled());
        }
        rig.run();
        assertThat(rig.a.sendStatuses()).containsOnly(Status.SUCCESS);
        assertThat(rig.a.released).extracting(lease -> lease.key()).containsExactly(0x900_00);
    }

    @Test
    void aLeaseGrantedInErrOrResetIsReturnedAtOnce() {
        for (QpState state : List.of(QpState.ERR, QpState.RESET)) {
            Rig rig = new Rig();
            rig.answersLeases = false;
            rig.a.post(rig.write(1, 8));
            rig.run();
            rig.a.machine.modify(QpModify.to(state), rig.a.turn);
            rig.a.machine.leaseGranted(rig.a.lease(Side.KEY), rig.a.at(rig.now));
            assertThat(rig.a.released).as("in %s", state).hasSize(1);
        }
    }

    // --- SQD ---

    // rule qp-drain
    @Test
    void aSecondModifyInSqdDoesNotRaiseSqDrainedAgain() {
        Rig rig = new Rig();
        rig.a.machine.modify(QpModify.to(QpState.SQD, new QpAttribute.NotifyWhenDrained(true)), rig.a.turn);
        rig.a.machine.modify(QpModify.to(QpState.SQD, new QpAttribute.RetryCount(2)), rig.a.turn);
        assertThat(rig.a.events).containsExactly(AsyncEvent.Kind.SQ_DRAINED);
    }

    @ParameterizedTest
    @EnumSource(
            value = QpState.class,
            names = {"ERR", "RESET"})
    void aDrainCanBeAborted(QpState to) {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> false;
        rig.a.post(rig.write(1, 8));
        rig.run();
        rig.a.machine.modify(QpModify.to(QpState.SQD), rig.a.turn);
        assertThat(rig.a.machine.snapshot().sqDraining()).isTrue();
        rig.a.machine.modify(QpModify.to(to), rig.a.turn);
        assertThat(rig.a.machine.state()).isEqualTo(to);
    }

    @Test
    void retryCountsModifiedInSqdApplyToTheNextRequest() {
        Rig rig = new Rig();
        rig.a.machine.modify(QpModify.to(QpState.SQD), rig.a.turn);
        rig.a.machine.modify(QpModify.to(QpState.SQD, new QpAttribute.RetryCount(1)), rig.a.turn);
        rig.a.machine.modify(QpModify.to(QpState.RTS), rig.a.turn);
        rig.lets = (from, packet) -> false;
        rig.a.post(rig.write(1, 8));
        rig.runToQuiet();
        assertThat(rig.wire).hasSize(2);
    }

    // --- receives that are not delivered ---

    @Test
    void aFailedSharedQueueMovesItsQueuePairToErr() {
        Side side = new Side("b", 0x22, 2, QpType.RC, true, Profile.CONNECTX_5, false);
        side.machine.modify(Rig.TERMS.toInit(), side.turn);
        side.machine.sharedReceivesFailed(Side.SRQ, side.turn);
        assertThat(side.machine.state()).isEqualTo(QpState.ERR);
        assertThat(side.events).containsExactly(AsyncEvent.Kind.QP_LAST_WQE_REACHED, AsyncEvent.Kind.QP_FATAL);
    }

    @Test
    void flushedCompletionsNameTheirRequests() {
        Rig rig = new Rig();
        rig.answersLeases = false;
        rig.a.post(rig.write(1, 8));
        rig.a.post(rig.write(2, 8));
        rig.a.machine.flush(rig.a.turn);
        assertThat(rig.a.sends).extracting(WorkCompletion::workId).containsExactly(1L, 2L);
        assertThat(rig.a.sends).extracting(WorkCompletion::lengthBytes).containsOnly(0L);
    }
}
