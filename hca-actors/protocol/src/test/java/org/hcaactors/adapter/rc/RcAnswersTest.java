// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hcaactors.adapter.state.Rig;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.SendFlags;
import org.hcaactors.fabric.packet.ExtendedHeader.Aeth;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Syndrome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A requester's handling of responses: waits, retransmissions, and delivery of read data. */
class RcAnswersTest {
    // --- waits and NAKs ---

    // rules rc-rnr-wait, rc-rnr-pair
    /** Soft-RoCE responds so: an RNR NAK for the refused packet, and one NAK for the packet behind it. */
    @ParameterizedTest(name = "timeout code {0}")
    @ValueSource(ints = {0, 1, 14})
    void aSequenceNakDuringAnRnrWaitKeepsItsDeadlineAndUsesNoRetry(int timeout) {
        Rig rig = new Rig(Rig.TERMS
                .withTimeoutCode(timeout)
                .withRetryCount(0)
                .withRnrRetry(7)
                .withMinRnrTimerCode(12));
        rig.lets = (from, packet) -> false;
        rig.a.post(Send.of(1, rig.a.slice(0, 8)).withSignaled());
        rig.a.post(Send.of(2, rig.a.slice(0, 8)).withSignaled());
        rig.run();
        rig.hears(100, Syndrome.rnr(12));
        rig.hears(100, Syndrome.NAK_PSN_SEQUENCE);
        assertThat(rig.nextDeadline()).isEqualTo(640_000);
        rig.passes(639_999);
        assertThat(rig.count(Opcode.RC_SEND_ONLY))
                .as("nothing is sent too early")
                .isEqualTo(2);
        rig.passes(640_000);
        assertThat(rig.count(Opcode.RC_SEND_ONLY)).isEqualTo(4);
        rig.hears(101, Syndrome.ACK);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS);
    }

    // rule rc-rnr-pair
    /** The second NAK of the pair arrived late; a loss is reported once more, and that report counts. */
    @ParameterizedTest(name = "timeout code {0}")
    @ValueSource(ints = {0, 14})
    void theSequenceNakOfAnRnrPairAfterTheWaitUsesNoRetry(int timeout) {
        Rig rig = new Rig(Rig.TERMS
                .withTimeoutCode(timeout)
                .withRetryCount(0)
                .withRnrRetry(7)
                .withMinRnrTimerCode(1));
        rig.lets = (from, packet) -> false;
        rig.a.post(Send.of(1, rig.a.slice(0, 8)).withSignaled());
        rig.a.post(Send.of(2, rig.a.slice(0, 8)).withSignaled());
        rig.run();
        rig.hears(100, Syndrome.rnr(1));
        rig.passes(10_000);
        rig.hears(100, Syndrome.NAK_PSN_SEQUENCE);
        assertThat(rig.count(Opcode.RC_SEND_ONLY))
                .as("it goes back nevertheless")
                .isEqualTo(6);
        rig.hears(100, Syndrome.NAK_PSN_SEQUENCE);
        assertThat(rig.a.discarded).as("a copy").hasSize(1);
        rig.hears(101, Syndrome.ACK);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS);
    }

    // rule rc-rnr-pair
    @Test
    void aSequenceNakBehindAPairThatWasWholeDuringTheWaitUsesARetry() {
        Rig rig = new Rig(
                Rig.TERMS.withTimeoutCode(0).withRetryCount(0).withRnrRetry(7).withMinRnrTimerCode(1));
        rig.lets = (from, packet) -> false;
        rig.a.post(Send.of(1, rig.a.slice(0, 8)).withSignaled());
        rig.a.post(Send.of(2, rig.a.slice(0, 8)).withSignaled());
        rig.run();
        rig.hears(100, Syndrome.rnr(1));
        rig.hears(100, Syndrome.NAK_PSN_SEQUENCE);
        rig.passes(10_000);
        rig.hears(100, Syndrome.NAK_PSN_SEQUENCE);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.RETRY_EXC_ERR, Status.WR_FLUSH_ERR);
    }

    /** A responder may send an RNR NAK for a READ, too. */
    @Test
    void anImpliedNakDuringAnRnrWaitKeepsItsDeadlineAndUsesNoRetry() {
        Rig rig = new Rig(
                Rig.TERMS.withTimeoutCode(14).withRetryCount(0).withRnrRetry(7).withMinRnrTimerCode(12));
        rig.lets = (from, packet) -> false;
        rig.a.post(rig.read(1, 8));
        rig.a.post(rig.write(2, 8));
        rig.run();
        rig.hears(100, Syndrome.rnr(12));
        rig.hears(101, Syndrome.ACK);
        assertThat(rig.nextDeadline()).isEqualTo(640_000);
        assertThat(rig.a.sends).isEmpty();
        rig.passes(640_000);
        assertThat(rig.count(Opcode.RC_READ_REQUEST)).isEqualTo(2);
    }

    // rule rc-implied-nak
    /** As in Soft-RoCE, only the implied NAK counts. */
    @Test
    void anRnrNakPastAMissingResponseGoesBackWithoutAWait() {
        Rig rig = new Rig(
                Rig.TERMS.withTimeoutCode(14).withRetryCount(1).withRnrRetry(7).withMinRnrTimerCode(12));
        rig.lets = (from, packet) -> false;
        rig.a.post(rig.read(1, 8));
        rig.a.post(Send.of(2, rig.a.slice(0, 8)));
        rig.run();
        rig.hears(101, Syndrome.rnr(12));
        assertThat(rig.count(Opcode.RC_READ_REQUEST)).isEqualTo(2);
        rig.hears(101, Syndrome.rnr(12));
        assertThat(rig.a.discarded).singleElement().asString().contains("the requester already retransmitted for it");
        assertThat(rig.a.sends).isEmpty();
    }

    @Test
    void aSequenceNakOfAPacketBehindTheRefusedOneEndsTheWait() {
        Rig rig = new Rig(
                Rig.TERMS.withTimeoutCode(14).withRetryCount(1).withRnrRetry(7).withMinRnrTimerCode(12));
        rig.lets = (from, packet) -> false;
        rig.a.post(Send.of(1, rig.a.slice(0, 8)).withSignaled());
        rig.a.post(Send.of(2, rig.a.slice(0, 8)).withSignaled());
        rig.run();
        rig.hears(100, Syndrome.rnr(12));
        rig.hears(101, Syndrome.NAK_PSN_SEQUENCE);
        assertThat(rig.a.sends).as("100 arrived after all").hasSize(1);
        assertThat(rig.wire.getLast().psn()).isEqualTo(101);
    }

    // rule rc-rnr-wait
    @Test
    void theLateAckOfTheRefusedPacketEndsTheWait() {
        Rig rig = new Rig(Rig.TERMS.withRnrRetry(7).withMinRnrTimerCode(12));
        rig.lets = (from, packet) -> false;
        rig.a.post(Send.of(1, rig.a.slice(0, 8)).withSignaled());
        rig.a.post(Send.of(2, rig.a.slice(0, 8)).withSignaled());
        rig.run();
        rig.hears(100, Syndrome.rnr(12));
        rig.hears(100, Syndrome.ACK);
        assertThat(rig.a.sends).hasSize(1);
        assertThat(rig.wire.getLast().psn())
                .as("what is behind was not refused")
                .isEqualTo(101);
    }

    // rule rc-rnr-wait
    @Test
    void aLateAckOfAnOlderPacketDoesNotEndTheWait() {
        Rig rig = new Rig(Rig.TERMS.withRnrRetry(7).withMinRnrTimerCode(12));
        rig.lets = (from, packet) -> false;
        rig.a.post(rig.write(1, 8));
        rig.a.post(Send.of(2, rig.a.slice(0, 8)).withSignaled());
        rig.run();
        rig.hears(101, Syndrome.rnr(12));
        rig.hears(100, Syndrome.ACK);
        assertThat(rig.nextDeadline()).isEqualTo(640_000);
        assertThat(rig.wire).hasSize(2);
    }

    // rule rc-rnr-again
    @Test
    void aDoubledRnrNakUsesOneRetryAndLeavesTheLongerWait() {
        Rig rig = new Rig(Rig.TERMS.withRnrRetry(1).withMinRnrTimerCode(12));
        rig.lets = (from, packet) -> false;
        rig.a.post(Send.of(1, rig.a.slice(0, 8)).withSignaled());
        rig.run();
        rig.hears(100, Syndrome.rnr(12));
        rig.now = 1000;
        rig.hears(100, Syndrome.rnr(12));
        assertThat(rig.a.sends).isEmpty();
        assertThat(rig.nextDeadline()).isEqualTo(641_000);
        rig.passes(641_000);
        rig.hears(100, Syndrome.rnr(12));
        assertThat(rig.a.sendStatuses()).containsExactly(Status.RNR_RETRY_EXC_ERR);
    }

    // rule rc-go-back-once
    @Test
    void aDoubledSequenceNakUsesOneRetry() {
        Rig rig = new Rig(Rig.TERMS.withTimeoutCode(1).withRetryCount(1));
        rig.lets = (from, packet) -> false;
        rig.a.post(rig.write(1, 8));
        rig.a.post(rig.write(2, 8));
        rig.run();
        rig.hears(100, Syndrome.NAK_PSN_SEQUENCE);
        rig.hears(100, Syndrome.NAK_PSN_SEQUENCE);
        assertThat(rig.a.retransmissions).hasSize(1);
        assertThat(rig.a.discarded).hasSize(1);
        rig.hears(101, Syndrome.ACK);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS);
    }

    // rule rc-go-back-once
    @Test
    void aNakOfTheSameGapAfterATimeoutCausesARetransmission() {
        Rig rig = new Rig(Rig.TERMS.withTimeoutCode(1).withRetryCount(3));
        rig.lets = (from, packet) -> false;
        rig.a.post(rig.write(1, 8));
        rig.a.post(rig.write(2, 8));
        rig.run();
        rig.hears(100, Syndrome.NAK_PSN_SEQUENCE);
        rig.passes(rig.nextDeadline());
        rig.hears(100, Syndrome.NAK_PSN_SEQUENCE);
        assertThat(rig.a.retransmissions).hasSize(3);
    }

    // --- requests that break during a retransmission ---

    /** Two WRITEs reach the peer, no response returns, and the second one's region is deregistered. */
    private static Rig brokenWhileSentAgain() {
        Rig rig = new Rig();
        rig.a.grant(0x55500, 1, 0, 64, AccessFlags.LOCAL_AND_REMOTE);
        rig.lets = (from, packet) -> from == rig.a;
        rig.a.post(rig.write(1, 8));
        rig.a.post(RdmaWrite.of(2, rig.a.slice(0x55500, 0, 8), rig.b.remote(8)).withSignaled());
        rig.run();
        rig.a.keys.remove(0x55500);
        rig.a.machine.leaseRevoked(0x55500, rig.a.turn);
        return rig;
    }

    @Test
    void anAcknowledgedRequestSucceedsThoughItsResendFailed() {
        Rig rig = brokenWhileSentAgain();
        boolean[] back = {false};
        rig.lets = (from, packet) -> from == rig.a || back[0];
        rig.passes(rig.nextDeadline());
        assertThat(rig.a.sends).isEmpty();
        back[0] = true;
        rig.a.post(rig.write(3, 8));
        rig.runToQuiet();
        assertThat(rig.a.sends).extracting(WorkCompletion::workId).containsExactly(1L, 2L, 3L);
        assertThat(rig.a.sendStatuses()).containsOnly(Status.SUCCESS);
    }

    @Test
    void aRequestThatFailsInARetransmissionFailsWhenOldest() {
        Rig rig = brokenWhileSentAgain();
        rig.passes(rig.nextDeadline());
        rig.hears(100, Syndrome.ACK);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS, Status.LOC_PROT_ERR);
        assertThat(rig.a.machine.state()).isEqualTo(QpState.ERR);
    }

    // --- responses that wait for a lease ---

    @Test
    void answersHeldForALeaseAreDroppedWhenTheOldestRequestFails() {
        Rig rig = new Rig();
        rig.a.grant(0x55500, Access.REMOTE_READ);
        rig.a.post(RdmaRead.of(1, rig.a.slice(0x55500, 0, 8), rig.b.remote(0)).withSignaled());
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 64)));
        rig.a.post(Send.of(2, rig.a.slice(0, 8)).withSignaled());
        rig.a.post(rig.read(3, 8));
        rig.runToQuiet();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.LOC_PROT_ERR, Status.WR_FLUSH_ERR, Status.WR_FLUSH_ERR);
    }

    // --- parts of a READ ---

    // rules rc-read-parts, rc-bad-response
    @ParameterizedTest(name = "{0} at psn {1}")
    @CsvSource({"RC_READ_RESPONSE_MIDDLE, 100", "RC_READ_RESPONSE_FIRST, 101", "RC_READ_RESPONSE_ONLY, 102"})
    void aReadResponseOtherThanTheNextPartIsABadResponse(Opcode opcode, int psn) {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> false;
        rig.a.post(rig.read(1, 2048 + 8));
        rig.run();
        Opcode[] before = {Opcode.RC_READ_RESPONSE_FIRST, Opcode.RC_READ_RESPONSE_MIDDLE};
        for (int due = 100; due < psn; due++) {
            responds(rig, before[due - 100], due, 1024);
        }
        responds(rig, opcode, psn, psn == 102 ? 8 : 1024);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.BAD_RESP_ERR);
    }

    // rule rc-read-parts
    /** As IBA demands, and as Soft-RoCE does it. */
    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource({"RC_READ_RESPONSE_FIRST, RC_READ_RESPONSE_LAST", "RC_READ_RESPONSE_MIDDLE, RC_READ_RESPONSE_LAST"})
    void theRestOfAReadMayStartWithAFirstOrAMiddleResponse(Opcode first, Opcode second) {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> false;
        rig.a.post(rig.read(1, 2048 + 8));
        rig.run();
        responds(rig, Opcode.RC_READ_RESPONSE_FIRST, 100, 1024);
        rig.passes(rig.nextDeadline());
        assertThat(rig.wire.getLast().psn()).isEqualTo(101);
        responds(rig, first, 101, 1024);
        responds(rig, second, 102, 8);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
    }

    // rule rc-read-parts
    @Test
    void theLastPacketOfAResumedReadMayBeAnOnly() {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> false;
        rig.a.post(rig.read(1, 1024 + 8));
        rig.run();
        responds(rig, Opcode.RC_READ_RESPONSE_FIRST, 100, 1024);
        rig.passes(rig.nextDeadline());
        responds(rig, Opcode.RC_READ_RESPONSE_ONLY, 101, 8);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
    }

    private static void responds(Rig rig, Opcode opcode, int psn, int bytes) {
        Aeth[] headers =
                opcode == Opcode.RC_READ_RESPONSE_MIDDLE ? new Aeth[0] : new Aeth[] {new Aeth(Syndrome.ACK, 0)};
        rig.inject(rig.a, opcode, psn, bytes, headers);
        rig.run();
    }

    // --- a response's own key: rdma-unit-test ---

    // rule rc-local-key-late
    @Test
    void anAnsweredReadWithoutLocalWriteIsALocalProtectionError() {
        Rig rig = new Rig();
        rig.a.grant(0x55500);
        rig.a.post(RdmaRead.of(1, rig.a.slice(0x55500, 0, 8), rig.b.remote(0)));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.LOC_PROT_ERR);
        assertThat(rig.opcodes()).containsExactly(Opcode.RC_READ_REQUEST, Opcode.RC_READ_RESPONSE_ONLY);
        assertThat(rig.b.machine.state()).isEqualTo(QpState.RTS);
    }

    // rule rc-local-key-late
    @Test
    void anAtomicWithABadLocalKeyIsExecutedAndFailsLocally() {
        Rig rig = new Rig();
        rig.a.post(FetchAdd.of(1, rig.a.slice(0xBAD00, 0, 8), rig.b.remote(0), 7));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.LOC_PROT_ERR);
        assertThat(rig.b.memory.readLong(0)).isEqualTo(7);
        assertThat(rig.b.machine.state()).isEqualTo(QpState.RTS);
    }

    // rule rc-local-key-late
    @Test
    void theRemoteErrorWinsWhenBothKeysOfAReadOrAnAtomicAreBad() {
        Rig reading = new Rig();
        RemoteAddress nowhere = new RemoteAddress(0xBAD00, 0);
        reading.a.post(RdmaRead.of(1, reading.a.slice(0xBAD00, 0, 8), nowhere));
        reading.run();
        assertThat(reading.a.sendStatuses()).containsExactly(Status.REM_ACCESS_ERR);
        Rig adding = new Rig();
        adding.a.post(FetchAdd.of(1, adding.a.slice(0xBAD00, 0, 8), nowhere, 1));
        adding.run();
        assertThat(adding.a.sendStatuses()).containsExactly(Status.REM_ACCESS_ERR);
    }

    @Test
    void anUnalignedAtomicWithABadLocalKeyIsAnInvalidRequest() {
        Rig rig = new Rig();
        rig.a.post(FetchAdd.of(1, rig.a.slice(0xBAD00, 0, 8), rig.b.remote(4), 1));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.REM_INV_REQ_ERR);
    }

    // rule rc-local-key-late
    @Test
    void aWriteLooksAtItsOwnKeyBeforeItIsSent() {
        Rig rig = new Rig();
        rig.a.post(RdmaWrite.of(1, rig.a.slice(0xBAD00, 0, 8), new RemoteAddress(0xBAD00, 0)));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.LOC_PROT_ERR);
        assertThat(rig.wire).isEmpty();
    }

    @Test
    void aReadThatReachesBeyondItsRegionFailsAtTheFirstPacketThatDoes() {
        Rig rig = new Rig();
        rig.fill(rig.b, 0, 3000, 5);
        rig.a.grant(0x55500, 1, 20_000, 2500, AccessFlags.LOCAL_AND_REMOTE);
        rig.a.post(RdmaRead.of(1, rig.a.slice(0x55500, 20_000, 3000), rig.b.remote(0)));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.LOC_PROT_ERR);
        assertThat(rig.a.memory.read(20_000, 2048)).isEqualTo(rig.b.memory.read(0, 2048));
    }

    // rule rc-atomic-host-order
    @Test
    void anAtomicsResultIsScatteredOverSeveralElements() {
        Rig rig = new Rig();
        rig.b.memory.writeLong(0, 0x0102_0304_0506_0708L);
        rig.a.post(FetchAdd.of(1, List.of(rig.a.slice(0, 3), rig.a.slice(100, 5)), rig.b.remote(0), 1)
                .withFlags(SendFlags.SIGNALED));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
        byte[] word = rig.b.memory.read(0, 8);
        word[0] = 8; // the value before
        assertThat(rig.a.memory.read(0, 3)).isEqualTo(java.util.Arrays.copyOfRange(word, 0, 3));
        assertThat(rig.a.memory.read(100, 5)).isEqualTo(java.util.Arrays.copyOfRange(word, 3, 8));
    }
}
