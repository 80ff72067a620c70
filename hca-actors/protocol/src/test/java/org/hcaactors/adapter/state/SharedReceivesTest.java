// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Syndrome;
import org.junit.jupiter.api.Test;

/** An RC queue pair with a shared receive queue (the page receive of the rule book). */
class SharedReceivesTest {
    private static final int SRQ_KEY = 0x555_00;

    private static Rig rig() {
        Side a = new Side("a", 0x11, 1, Profile.CONNECTX_5, false);
        Side b = new Side("b", 0x22, 2, QpType.RC, true, Profile.CONNECTX_5, false);
        b.grant(SRQ_KEY, Side.SRQ_DOMAIN, 0, Side.MEMORY, AccessFlags.LOCAL_AND_REMOTE);
        Rig rig = new Rig(a, b);
        for (Side side : List.of(a, b)) {
            side.machine.modify(Rig.TERMS.toInit(), side.turn);
            rig.readyToReceive(side, rig.peer(side));
            side.machine.modify(Rig.TERMS.toRts(), side.turn);
        }
        return rig;
    }

    private static Receive buffer(Rig rig, long id) {
        return Receive.of(id, rig.b.slice(SRQ_KEY, id * 2048, 2048));
    }

    // rule receive-shared-order
    @Test
    void oneBufferIsTakenForEachMessageInPostingOrder() {
        Rig rig = rig();
        for (int i = 0; i < 5; i++) {
            rig.b.sources.srq.add(buffer(rig, i));
        }
        for (int i = 0; i < 3; i++) {
            rig.a.post(Send.of(i, rig.a.slice(0, 1500)));
        }
        rig.run();
        assertThat(rig.b.receives).extracting(WorkCompletion::workId).containsExactly(0L, 1L, 2L);
        assertThat(rig.b.sources.srq).as("nothing is taken ahead").hasSize(2);
    }

    @Test
    void anEmptySharedQueueGetsAnRnrNakAndTheMessageIsResent() {
        Rig rig = rig();
        rig.a.post(Send.of(1, rig.a.slice(0, 8)).withSignaled());
        rig.run();
        assertThat(rig.syndromes())
                .singleElement()
                .satisfies(s -> assertThat(Syndrome.isRnr(s)).isTrue());
        assertThat(rig.b.counted(Counter.OUT_OF_BUFFER)).isEqualTo(1);
        rig.b.sources.srq.add(buffer(rig, 4));
        rig.runToQuiet();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
        assertThat(rig.b.receives)
                .singleElement()
                .satisfies(wc -> assertThat(wc.workId()).isEqualTo(4));
    }

    // rule rc-write-immediate
    @Test
    void aWriteWithImmediateTakesItsBufferAtItsLastPacket() {
        Rig rig = rig();
        rig.b.sources.srq.add(buffer(rig, 1));
        rig.a.post(RdmaWrite.of(1, rig.a.slice(0, 3000), rig.b.remote(0)).withImmediate(9));
        rig.lets = (from, packet) -> packet.opcode() != Opcode.RC_WRITE_LAST_IMM;
        rig.run();
        assertThat(rig.b.sources.srq).hasSize(1);
        rig.lets = (from, packet) -> true;
        rig.runToQuiet();
        assertThat(rig.b.receives)
                .singleElement()
                .satisfies(wc -> assertThat(wc.immediate()).hasValue(9));
    }

    // rule memory-domain
    @Test
    void itsBuffersNeedTheSharedQueuesDomain() {
        Rig rig = rig();
        rig.b.sources.srq.add(Receive.of(1, rig.b.slice(Side.KEY, 0, 64)));
        rig.a.post(Send.of(1, rig.a.slice(0, 8)));
        rig.run();
        assertThat(rig.b.receiveStatuses())
                .as("the queue pair's own key is of the wrong domain")
                .containsExactly(Status.LOC_PROT_ERR);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.REM_OP_ERR);
    }

    // rule receive-last
    @Test
    void movingToErrKeepsSharedReceivesAndRaisesLastWqeOnce() {
        Rig rig = rig();
        rig.b.sources.srq.add(buffer(rig, 1));
        rig.b.sources.srq.add(buffer(rig, 2));
        rig.b.machine.modify(QpModify.to(QpState.ERR), rig.b.turn);
        rig.b.machine.modify(QpModify.to(QpState.ERR), rig.b.turn);
        assertThat(rig.b.sources.srq).hasSize(2);
        assertThat(rig.b.receives).isEmpty();
        assertThat(rig.b.events).containsExactly(AsyncEvent.Kind.QP_LAST_WQE_REACHED);
    }

    // rule receive-last
    @Test
    void aBufferInTheMiddleOfAMessageIsFlushedBeforeLastWqeReached() {
        Rig rig = rig();
        rig.b.sources.srq.add(buffer(rig, 1));
        rig.lets = (from, packet) -> packet.opcode() != Opcode.RC_SEND_LAST;
        rig.a.post(Send.of(1, rig.a.slice(0, 1500)));
        rig.run();
        rig.b.machine.modify(QpModify.to(QpState.ERR), rig.b.turn);
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.WR_FLUSH_ERR);
        assertThat(rig.b.events).containsExactly(AsyncEvent.Kind.QP_LAST_WQE_REACHED);
    }

    /** Has taken a receive for a message whose memory is not accessible yet. */
    private static Rig waitingForItsLease() {
        Rig rig = rig();
        rig.b.sources.srq.add(buffer(rig, 3));
        rig.inject(rig.b, Opcode.RC_SEND_ONLY, 100, 8);
        assertThat(rig.b.sources.takes).isEqualTo(1);
        assertThat(rig.b.sources.srq).isEmpty();
        assertThat(rig.b.receives).isEmpty();
        return rig;
    }

    // rule receive-last
    @Test
    void aTakenReceiveIsFlushedBeforeLastWqeReached() {
        Rig rig = waitingForItsLease();
        rig.b.machine.modify(QpModify.to(QpState.ERR), rig.b.turn);
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.WR_FLUSH_ERR);
        assertThat(rig.b.events).containsExactly(AsyncEvent.Kind.QP_LAST_WQE_REACHED);
    }

    @Test
    void aFailedSharedQueueFailsItsQueuePairs() {
        Rig rig = rig();
        rig.b.machine.sharedReceivesFailed(Side.SRQ, rig.b.turn);
        assertThat(rig.b.machine.state()).isEqualTo(QpState.ERR);
        assertThat(rig.b.events).containsExactly(AsyncEvent.Kind.QP_LAST_WQE_REACHED, AsyncEvent.Kind.QP_FATAL);
    }

    // rule receive-returned
    @Test
    void aResetGivesBackWhatWasTakenAndNotUsed() {
        Rig rig = waitingForItsLease();
        rig.b.machine.modify(QpModify.to(QpState.RESET), rig.b.turn);
        assertThat(rig.b.sources.srq)
                .singleElement()
                .satisfies(receive -> assertThat(receive.id()).isEqualTo(3));
        assertThat(rig.b.events).isEmpty();
        assertThat(rig.b.machine.state()).isEqualTo(QpState.RESET);
    }
}
