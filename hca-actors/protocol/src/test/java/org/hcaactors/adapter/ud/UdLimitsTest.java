// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.ud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.adapter.ud.UdTest.QKEY;
import static org.hcaactors.adapter.ud.UdTest.rig;
import static org.hcaactors.adapter.ud.UdTest.to;

import java.util.Collections;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.state.Rig;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.adapter.work.PsnWindow;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Opcode;
import org.junit.jupiter.api.Test;

/** Limits of a datagram queue pair: budgets, drops, failures, and reported reasons. */
class UdLimitsTest {
    private static final int FOREIGN = 0x777_00;
    private static final String NOT_REGISTERED = "L_Key 0x00077700 is not registered, or was deregistered";

    private static void arrive(Rig rig) {
        arrive(rig, 8);
    }

    private static void arrive(Rig rig, int length) {
        rig.inject(rig.b, Opcode.UD_SEND_ONLY, 7, length, new ExtendedHeader.Deth(QKEY, 0, rig.a.number));
    }

    private static int held(Side side) {
        return side.snapshot().pending().heldPackets();
    }

    // --- sending ---

    @Test
    void aTurnSendsAtMostItsBudget() {
        Rig rig = rig();
        for (int i = 0; i < 5; i++) {
            rig.a.post(Send.of(i, rig.a.slice(0, 8)), to(rig));
        }
        assertThat(rig.a.machine.transmit(2, rig.a.at(0))).as("without a lease").isZero();
        rig.a.machine.leaseGranted(rig.a.lease(Side.KEY), rig.a.at(0));
        assertThat(rig.a.machine.transmit(2, rig.a.at(0))).isEqualTo(2);
        assertThat(rig.a.out).hasSize(2);
        assertThat(rig.a.machine.transmit(64, rig.a.at(0))).isEqualTo(3);
        assertThat(rig.a.machine.transmit(64, rig.a.at(0))).isZero();
    }

    @Test
    void aRefusedRequestIsNotCountedAsSentAndReportsItsReason() {
        assertThat(refused(8192, 1, Side.KEY)).isEqualTo("a datagram of 8192 bytes; the port's MTU is 4096");
        assertThat(refused(8, 2, Side.KEY)).isEqualTo("an address handle of another protection domain or adapter");
        assertThat(refused(8, 1, FOREIGN)).isEqualTo(NOT_REGISTERED);
    }

    private static String refused(int length, int domain, int key) {
        Rig rig = rig();
        rig.a.machine.leaseGranted(rig.a.lease(Side.KEY), rig.a.at(0));
        rig.a.post(Send.of(1, rig.a.slice(key, 0, length)), to(rig.a, rig.b, QKEY, domain));
        rig.a.post(Send.of(2, rig.a.slice(0, 8)), to(rig));
        rig.a.machine.leaseRefused(FOREIGN, new Denial.Unregistered(), rig.a.at(0));
        assertThat(rig.a.machine.transmit(64, rig.a.at(0))).isZero();
        assertThat(rig.a.sends).extracting(WorkCompletion::workId).containsExactly(1L, 2L);
        assertThat(rig.a.sendStatuses().getLast()).isEqualTo(Status.WR_FLUSH_ERR);
        assertThat(rig.a.states).endsWith(QpState.SQE);
        return String.join(", ", rig.a.failures);
    }

    @Test
    void aDrainEndsAtOnceAndWaitingRequestsAreSentAfterIt() {
        Rig rig = rig();
        rig.a.machine.leaseGranted(rig.a.lease(Side.KEY), rig.a.at(0));
        rig.a.post(Send.of(1, rig.a.slice(0, 8)), to(rig));
        rig.a.machine.modify(QpModify.to(QpState.SQD), rig.a.turn);
        assertThat(rig.a.machine.snapshot().sqDraining()).isFalse();
        assertThat(rig.a.machine.transmit(64, rig.a.at(0))).isZero();
        rig.a.machine.modify(QpModify.to(QpState.RTS), rig.a.turn);
        assertThat(rig.a.machine.transmit(64, rig.a.at(0))).isOne();
    }

    // --- receiving ---

    @Test
    void aDatagramDoesNotEstablishACommunication() {
        Rig rig = rig();
        rig.b.machine.modify(QpModify.to(QpState.RESET), rig.b.turn);
        UdTest.initialize(rig.b, QKEY);
        rig.b.machine.modify(QpModify.to(QpState.RTR), rig.b.turn);
        rig.b.postReceive(Receive.of(1, rig.b.slice(0, 64)));
        arrive(rig);
        rig.run();
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.SUCCESS);
        assertThat(rig.b.events).isEmpty();
    }

    @Test
    void aDatagramWithoutAReceiveIsDroppedAtOnce() {
        Rig rig = rig();
        arrive(rig);
        rig.b.postReceive(Receive.of(1, rig.b.slice(0, 64)));
        rig.b.machine.leaseGranted(rig.b.lease(Side.KEY), rig.b.at(0));
        assertThat(rig.b.receives).isEmpty();
        assertThat(rig.b.discarded).containsExactly("no receive is posted");
        assertThat(rig.b.counted(Counter.OUT_OF_BUFFER)).isOne();
    }

    @Test
    void aDatagramDroppedForAnEmptySrqReportsThatReason() {
        Rig shared = rig(Profile.CONNECTX_5, true);
        arrive(shared);
        shared.run();
        assertThat(shared.b.discarded).containsExactly("its shared receive queue is empty");
    }

    @Test
    void aDatagramThatIsTooLongIsCountedAndReported() {
        Rig rig = rig();
        rig.b.postReceive(Receive.of(1, rig.b.slice(0, 47)));
        arrive(rig);
        assertThat(rig.b.discarded)
                .containsExactly("a datagram of 8 bytes and the 40 of its GRH are more than the receive's 47");
        assertThat(rig.b.failures).isEmpty();
        assertThat(rig.b.counted(Counter.RESP_LOCAL_LENGTH_ERROR)).isOne();
    }

    @Test
    void aSharedReceiveThatIsTooSmallFailsAndIsReported() {
        Rig rig = rig(Profile.CONNECTX_5, true);
        rig.b.grant(0x555_00, Side.SRQ_DOMAIN, 0, 1024, AccessFlags.LOCAL_AND_REMOTE);
        rig.b.sources.srq.add(Receive.of(9, rig.b.slice(0x555_00, 0, 47)));
        arrive(rig);
        rig.run();
        assertThat(rig.b.failures).isEqualTo(rig.b.discarded).hasSize(1);
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.LOC_LEN_ERR);
        assertThat(rig.b.machine.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void datagramsBehindAFailedReceiveTakeNoOtherReceive() {
        Rig rig = rig();
        rig.b.postReceive(Receive.of(1, rig.b.slice(FOREIGN, 0, 64)));
        rig.b.postReceive(Receive.of(2, rig.b.slice(0, 64)));
        for (int i = 0; i < 3; i++) {
            arrive(rig);
        }
        assertThat(held(rig.b)).isEqualTo(3);
        rig.run();
        assertThat(rig.b.failures).containsExactly("the receive's memory: " + NOT_REGISTERED);
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.LOC_PROT_ERR, Status.WR_FLUSH_ERR);
        assertThat(rig.b.discarded).isEqualTo(Collections.nCopies(2, "the queue pair has failed"));
        assertThat(rig.b.counted(Counter.OUT_OF_BUFFER)).isZero();
    }

    @Test
    void packetsHeldForALeaseAreBoundedAndDoNotOutliveAReset() {
        Rig rig = rig();
        rig.answersLeases = false;
        rig.b.postReceive(Receive.of(1, rig.b.slice(0, 64)));
        for (int i = 0; i <= PsnWindow.MAX_PACKETS; i++) {
            arrive(rig);
        }
        assertThat(held(rig.b)).isEqualTo(PsnWindow.MAX_PACKETS);
        assertThat(rig.b.discarded).containsExactly("receive buffer full while waiting for memory");
        rig.b.machine.modify(QpModify.to(QpState.RESET), rig.b.turn);
        UdTest.ready(rig.b, QKEY);
        rig.b.postReceive(Receive.of(2, rig.b.slice(0, 64)));
        rig.b.machine.leaseGranted(rig.b.lease(Side.KEY), rig.b.at(0));
        assertThat(rig.b.receives).isEmpty();
        arrive(rig);
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.SUCCESS);
    }

    @Test
    void datagramsThatWaitForALeaseCompleteInArrivalOrder() {
        Rig rig = rig();
        rig.b.postReceive(Receive.of(1, rig.b.slice(0, 64)));
        rig.b.postReceive(Receive.of(2, rig.b.slice(64, 64)));
        for (int length = 8; length <= 16; length += 8) {
            arrive(rig, length);
        }
        rig.run();
        assertThat(rig.b.receives).extracting(WorkCompletion::lengthBytes).containsExactly(48L, 56L);
    }
}
