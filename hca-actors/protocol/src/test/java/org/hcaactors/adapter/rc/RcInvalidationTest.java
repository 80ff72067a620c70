// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.state.Rig;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;
import org.junit.jupiter.api.Test;

/** SEND with invalidate, from its posting to the receive's completion. */
class RcInvalidationTest {
    private static final int KEY = 0x301;
    private static final Denial FREE = new Denial.NotBound();

    private Rig rig = new Rig();

    private Send send(long id, int bytes) {
        return Send.of(id, rig.a.slice(0, bytes)).withInvalidate(KEY).withSignaled();
    }

    private void posts(Send send) {
        rig.fill(rig.a, 0, 4096, 7);
        rig.b.postReceive(Receive.of(9, rig.b.slice(8192, 4096)));
        rig.a.post(send);
        rig.run();
    }

    private void answer(Optional<Denial> refusal) {
        rig.b.machine.invalidated(rig.b.invalidations.remove(), refusal, rig.b.at(rig.now));
        rig.run();
    }

    private byte[] arrived(int bytes) {
        return rig.b.memory.read(8192, bytes);
    }

    private byte[] sent(int bytes) {
        return rig.a.memory.read(0, bytes);
    }

    // rule window-remote-invalidate
    @Test
    void theLastPacketHasTheInvalidatedKey() {
        posts(send(1, 2500));
        assertThat(rig.opcodes()).containsExactly(Opcode.RC_SEND_FIRST, Opcode.RC_SEND_MIDDLE, Opcode.RC_SEND_LAST_INV);
        assertThat(rig.wire.getLast().ieth().rkey()).isEqualTo(KEY);
    }

    // rule window-remote-invalidate
    @Test
    void aKeyIsInvalidatedAfterTheCopyAndBeforeTheCompletion() {
        posts(send(1, 8));
        assertThat(rig.b.invalidations).hasSize(1);
        assertThat(arrived(8)).isEqualTo(sent(8));
        assertThat(rig.b.receives).isEmpty();
        assertThat(rig.a.sends).isEmpty();
        answer(Optional.empty());
        WorkCompletion received = rig.b.receives.getFirst();
        assertThat(received.status()).isEqualTo(Status.SUCCESS);
        assertThat(received.kind()).isEqualTo(CompletionKind.RECV);
        assertThat(received.lengthBytes()).isEqualTo(8);
        assertThat(received.invalidated()).hasValue(KEY);
        assertThat(received.immediate()).isEmpty();
        assertThat(rig.a.sends.getFirst().status()).isEqualTo(Status.SUCCESS);
        assertThat(rig.a.sends.getFirst().kind()).isEqualTo(CompletionKind.SEND);
    }

    // rule window-remote-invalidate
    @Test
    void messagesBehindAnInvalidationCompleteInOrder() {
        rig.b.postReceive(Receive.of(10, rig.b.slice(16384, 4096)));
        posts(send(1, 8));
        rig.a.post(Send.of(2, rig.a.slice(0, 8)).withSignaled());
        rig.run();
        assertThat(rig.b.receives).isEmpty();
        answer(Optional.empty());
        assertThat(rig.b.receives).extracting(WorkCompletion::workId).containsExactly(10L, 9L);
        assertThat(rig.a.sends).extracting(WorkCompletion::workId).containsExactly(1L, 2L);
    }

    // rule window-remote-invalidate
    @Test
    void aDuplicateInvalidatesNothing() {
        posts(send(1, 8));
        rig.passes(rig.nextDeadline());
        assertThat(rig.count(Opcode.RC_SEND_ONLY_INV)).isEqualTo(2);
        answer(Optional.empty());
        rig.runToQuiet();
        assertThat(rig.b.invalidations).isEmpty();
        assertThat(rig.b.counted(Counter.DUPLICATE_REQUEST)).isOne();
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.SUCCESS);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
    }

    // rule window-remote-invalidate
    @Test
    void withoutAReceiveASendGetsAnRnrNakAndInvalidatesOnce() {
        rig.a.post(send(1, 8));
        rig.run();
        assertThat(rig.b.invalidations).isEmpty();
        assertThat(rig.syndromes()).containsExactly(Syndrome.rnr(1));
        rig.b.postReceive(Receive.of(9, rig.b.slice(8192, 4096)));
        rig.passes(rig.nextDeadline());
        assertThat(rig.b.invalidations).hasSize(1);
        answer(Optional.empty());
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.SUCCESS);
    }

    // rule window-invalidate-fails
    @Test
    void aSilentAdapterFailsTheReceiveAndItsPeerRunsOutOfRetries() {
        posts(send(1, 8));
        answer(Optional.of(FREE));
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.REM_INV_REQ_ERR);
        assertThat(rig.b.machine.state()).isEqualTo(QpState.ERR);
        assertThat(rig.syndromes()).isEmpty();
        assertThat(rig.b.failures).containsExactly("the key to invalidate: R_Key 0x00000301 maps no memory now");
        rig.runToQuiet();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.RETRY_EXC_ERR);
    }

    // rule window-invalidate-fails
    @Test
    void aSilentAdapterAnswersEarlierRequests() {
        rig.b.postReceive(Receive.of(8, rig.b.slice(16384, 4096)));
        rig.b.postReceive(Receive.of(9, rig.b.slice(8192, 4096)));
        rig.lets = (from, packet) -> from == rig.a;
        rig.a.post(Send.of(1, rig.a.slice(0, 8)).withSignaled());
        rig.a.post(send(2, 8));
        rig.run(rig.a);
        rig.b.machine.receive(rig.a.out.removeFirst(), rig.b.at(0));
        rig.b.machine.receive(rig.a.out.removeFirst(), rig.b.at(0));
        rig.answerLeases(rig.b);
        rig.b.machine.invalidated(rig.b.invalidations.remove(), Optional.of(FREE), rig.b.at(0));
        assertThat(rig.b.machine.state()).isEqualTo(QpState.RTS);
        rig.run(rig.b);
        assertThat(rig.b.out).extracting(packet -> packet.aeth().syndrome()).allMatch(Syndrome::isAck);
        assertThat(rig.b.out).extracting(Packet::psn).containsExactly(100);
        assertThat(rig.b.machine.state()).isEqualTo(QpState.ERR);
    }

    // rule window-invalidate-fails
    @Test
    void otherAdaptersAnswerARemoteAccessError() {
        rig = new Rig(Rig.TERMS, Profile.CONNECTX_5.without(Quirk.SILENT_WHEN_INVALIDATION_FAILS), false);
        posts(send(1, 8));
        answer(Optional.of(FREE));
        assertThat(rig.syndromes()).containsExactly(Syndrome.NAK_REMOTE_ACCESS);
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.LOC_ACCESS_ERR);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.REM_ACCESS_ERR);
        assertThat(List.of(rig.a.machine.state(), rig.b.machine.state())).containsOnly(QpState.ERR);
        assertThat(rig.b.events).doesNotContain(AsyncEvent.Kind.QP_ACCESS_ERR);
    }

    // rule window-remote-invalidate
    @Test
    void anInvalidationAnswerAfterAResetIsIgnored() {
        posts(send(1, 8));
        rig.b.machine.modify(QpModify.to(QpState.ERR), rig.b.at(rig.now));
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.WR_FLUSH_ERR);
        answer(Optional.empty());
        assertThat(rig.b.receives).hasSize(1);
        rig.reconnect(rig.b);
        rig.reconnect(rig.a);
        posts(send(2, 8));
        long before = rig.b.invalidations.element() - 1;
        rig.b.machine.invalidated(before, Optional.empty(), rig.b.at(rig.now));
        assertThat(rig.b.receives).hasSize(1);
        answer(Optional.empty());
        assertThat(rig.b.receives).hasSize(2);
    }

    @Test
    void aMessageHasEitherAnImmediateOrAnInvalidatedKey() {
        Send plain = Send.of(1, rig.a.slice(0, 8));
        assertThat(plain.withImmediate(5).withInvalidate(KEY).immediate()).isEmpty();
        assertThat(plain.withInvalidate(KEY).withImmediate(5).invalidate()).isEqualTo(OptionalInt.empty());
    }
}
