// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.state.Rig;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Syndrome;
import org.junit.jupiter.api.Test;

/** Key-changing requests on the send queue of a reliable connection. */
class KeyWorkTest {
    private static final int KEY = 0x300;

    private final Rig rig = new Rig();

    private static LocalInvalidate invalidate(long id) {
        return LocalInvalidate.of(id, KEY).withSignaled();
    }

    private void answer(Optional<Denial> refusal) {
        rig.a.machine.keyChanged(rig.a.changes.remove(), refusal, rig.a.at(rig.now));
    }

    // rule memory-key-work
    @Test
    void aKeyChangeIsRequestedOnceAndLaterRequestsWaitForIt() {
        rig.a.post(invalidate(1));
        rig.a.post(rig.write(2, 8));
        rig.run();
        assertThat(rig.a.changes).hasSize(1);
        assertThat(rig.wire).isEmpty();
        answer(Optional.empty());
        rig.run();
        assertThat(rig.a.sends).extracting(WorkCompletion::workId).containsExactly(1L, 2L);
        assertThat(rig.a.sends).extracting(WorkCompletion::status).containsOnly(Status.SUCCESS);
        assertThat(rig.opcodes()).containsExactly(Opcode.RC_WRITE_ONLY, Opcode.RC_ACKNOWLEDGE);
    }

    // rule memory-key-work
    @Test
    void aKeyChangeTakesNoPsnAndStartsNoTimer() {
        rig.a.post(invalidate(1));
        rig.run();
        assertThat(rig.a.machine.nextDeadline()).isEqualTo(Long.MAX_VALUE);
        answer(Optional.empty());
        rig.run();
        assertThat(rig.a.machine.nextDeadline()).isEqualTo(Long.MAX_VALUE);
        rig.a.post(rig.write(2, 8));
        rig.run();
        assertThat(rig.wire.getFirst().psn()).isEqualTo(100);
    }

    // rule memory-key-work
    @Test
    void itIsMadeDuringEarlierRequestsAndCompletesBehindThem() {
        rig.lets = (from, packet) -> false;
        rig.a.post(rig.write(1, 8));
        rig.a.post(invalidate(2));
        rig.run();
        answer(Optional.empty());
        assertThat(rig.a.sends).isEmpty();
        rig.lets = (from, packet) -> true;
        rig.runToQuiet();
        assertThat(rig.a.sends).extracting(WorkCompletion::workId).containsExactly(1L, 2L);
    }

    @Test
    void aRetransmissionAcrossKeyChangesSendsOnlyPackets() {
        rig.lets = (from, packet) -> false;
        rig.a.post(rig.write(1, 8));
        rig.a.post(invalidate(2));
        rig.a.post(invalidate(3));
        rig.a.post(rig.write(4, 8));
        rig.run();
        answer(Optional.empty());
        rig.run();
        answer(Optional.empty());
        rig.run();
        rig.lets = (from, packet) -> true;
        rig.runToQuiet();
        assertThat(rig.a.sends).extracting(WorkCompletion::workId).containsExactly(1L, 2L, 3L, 4L);
        assertThat(rig.a.changes).isEmpty();
    }

    // rule rc-fence
    @Test
    void aFencedKeyChangeWaitsForEarlierReads() {
        rig.lets = (from, packet) -> from == rig.a;
        rig.a.post(RdmaRead.of(1, rig.a.slice(0, 8), rig.b.remote(0)).withSignaled());
        rig.a.post(invalidate(2).withFence());
        rig.run();
        assertThat(rig.a.changes).isEmpty();
        rig.lets = (from, packet) -> true;
        rig.runToQuiet();
        assertThat(rig.a.changes).hasSize(1);
    }

    // rule memory-key-work
    @Test
    void aRefusedChangeFailsBehindEarlierRequests() {
        rig.lets = (from, packet) -> false;
        rig.a.post(rig.write(1, 8));
        rig.a.post(invalidate(2));
        rig.a.post(rig.write(3, 8));
        rig.run();
        answer(Optional.of(new Denial.UnsupportedChange()));
        rig.run();
        assertThat(rig.a.machine.state()).isEqualTo(QpState.RTS);
        rig.lets = (from, packet) -> true;
        rig.runToQuiet();
        assertThat(rig.a.sends)
                .extracting(WorkCompletion::status)
                .containsExactly(Status.SUCCESS, Status.LOC_QP_OP_ERR, Status.WR_FLUSH_ERR);
        assertThat(rig.a.machine.state()).isEqualTo(QpState.ERR);
        assertThat(rig.a.failures).last().asString().contains("0x00000300");
    }

    // rules memory-key-work, rc-own-memory
    @Test
    void aRefusedChangeIsNotRepeatedAfterARetransmissionBreaks() {
        rig.a.grant(0x55500, 1, 0, 64, AccessFlags.LOCAL_AND_REMOTE);
        rig.lets = (from, packet) -> from == rig.a;
        rig.a.post(rig.write(1, 8));
        rig.a.post(RdmaWrite.of(2, rig.a.slice(0x55500, 0, 8), rig.b.remote(8)).withSignaled());
        rig.a.post(invalidate(3));
        rig.run();
        answer(Optional.of(new Denial.UnsupportedChange()));
        rig.a.keys.remove(0x55500);
        rig.a.machine.leaseRevoked(0x55500, rig.a.turn);
        rig.passes(rig.nextDeadline());
        rig.hears(101, Syndrome.ACK);
        assertThat(rig.a.changes).isEmpty();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS, Status.LOC_QP_OP_ERR);
    }

    // rules memory-key-work, rc-own-memory
    @Test
    void anEarlierRequestThatBreaksDuringAChangeFails() {
        rig.a.grant(0x55500, 1, 0, 64, AccessFlags.LOCAL_AND_REMOTE);
        rig.lets = (from, packet) -> from == rig.a;
        rig.a.post(rig.write(1, 8));
        rig.a.post(RdmaWrite.of(2, rig.a.slice(0x55500, 0, 8), rig.b.remote(8)).withSignaled());
        rig.a.post(invalidate(3));
        rig.run();
        rig.a.keys.remove(0x55500);
        rig.a.machine.leaseRevoked(0x55500, rig.a.turn);
        rig.passes(rig.nextDeadline());
        answer(Optional.of(new Denial.UnsupportedChange()));
        rig.hears(100, Syndrome.ACK);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS, Status.LOC_PROT_ERR, Status.WR_FLUSH_ERR);
    }

    @Test
    void anAnswerToAFlushedKeyChangeIsIgnored() {
        rig.a.post(invalidate(1));
        rig.run();
        rig.a.machine.modify(QpModify.to(QpState.ERR), rig.a.turn);
        assertThat(rig.a.sends).extracting(WorkCompletion::status).containsExactly(Status.WR_FLUSH_ERR);
        long old = rig.a.changes.remove();
        rig.reconnect(rig.a);
        rig.a.post(invalidate(2));
        rig.run(rig.a);
        rig.a.machine.keyChanged(old, Optional.empty(), rig.a.at(rig.now));
        assertThat(rig.a.sends).hasSize(1);
        answer(Optional.empty());
        assertThat(rig.a.sends).extracting(WorkCompletion::workId).containsExactly(1L, 2L);
    }

    // rule qp-drain
    @Test
    void aQueueThatWaitsForAKeyChangeIsNotDrained() {
        rig.a.post(invalidate(1));
        rig.run();
        rig.a.machine.modify(QpModify.to(QpState.SQD), rig.a.turn);
        assertThat(rig.a.machine.snapshot().sqDraining()).isTrue();
        answer(Optional.empty());
        assertThat(rig.a.machine.snapshot().sqDraining()).isFalse();
        assertThat(rig.a.sends).hasSize(1);
    }
}
