// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.state.Rig;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.adapter.work.PsnWindow;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.ExtendedHeader.Aeth;
import org.hcaactors.fabric.packet.ExtendedHeader.AtomicAckEth;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A requester's handling of one response: timer, gaps, counters, and reported events (the page rc of the rule book). */
class RcCompleterTest {
    private static final long TIMEOUT = 4096L << Rig.TERMS.timeoutCode();

    /** All packets that it sends are lost. */
    private static Rig unansweredRig() {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> false;
        return rig;
    }

    // --- PSNs ---

    // rule rc-ghost
    @Test
    void anAnswerOneAboveTheLastPsnSentIsAGhost() {
        Rig rig = unansweredRig();
        rig.a.post(rig.write(1, 8));
        rig.run();
        rig.hears(101, Syndrome.ACK);
        assertThat(rig.a.sends).isEmpty();
        assertThat(rig.a.discarded).containsExactly("ghost response: its PSN is not outstanding");
        rig.hears(100, Syndrome.ACK);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
    }

    // rule rc-ghost
    @Test
    void withNothingOutstandingEveryAnswerIsAGhost() {
        Rig rig = new Rig();
        rig.a.post(rig.write(1, 8));
        rig.run();
        for (int psn : new int[] {99, 100, 101}) {
            rig.hears(psn, Syndrome.ACK);
            rig.inject(rig.a, Opcode.RC_READ_RESPONSE_MIDDLE, psn, 1024);
        }
        assertThat(rig.a.discarded).hasSize(6).containsOnly("ghost response: its PSN is not outstanding");
        assertThat(rig.areReady()).isTrue();
    }

    // --- the timer ---

    // rule rc-timeout
    @Test
    void theTimerStartsWithTheFirstPacketAndNotAgainWithTheNext() {
        Rig rig = unansweredRig();
        assertThat(rig.nextDeadline()).isEqualTo(Long.MAX_VALUE);
        rig.a.post(rig.write(1, 8));
        rig.run();
        rig.now = 5000;
        rig.a.post(rig.write(2, 8));
        rig.run();
        assertThat(rig.nextDeadline()).isEqualTo(TIMEOUT);
    }

    // rule rc-timeout
    @Test
    void aPartialAckRestartsTheTimerAndTheLastAckStopsIt() {
        Rig rig = unansweredRig();
        rig.a.post(rig.write(1, 2000));
        rig.run();
        rig.now = 5000;
        rig.hears(100, Syndrome.ACK);
        assertThat(rig.nextDeadline()).isEqualTo(5000 + TIMEOUT);
        rig.hears(101, Syndrome.ACK);
        assertThat(rig.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    }

    // rule rc-timeout
    @Test
    void aRetransmissionRestartsTheTimer() {
        Rig rig = unansweredRig();
        rig.a.post(rig.write(1, 8));
        rig.run();
        rig.now = 5000;
        rig.hears(100, Syndrome.NAK_PSN_SEQUENCE);
        assertThat(rig.nextDeadline()).isEqualTo(5000 + TIMEOUT);
    }

    @Test
    void anEarlyAlarmChangesNothing() {
        Rig rig = unansweredRig();
        rig.a.post(rig.write(1, 8));
        rig.run();
        rig.passes(TIMEOUT - 1);
        assertThat(rig.a.retransmissions).isEmpty();
        assertThat(rig.nextDeadline()).isEqualTo(TIMEOUT);
        rig.passes(TIMEOUT);
        assertThat(rig.a.retransmissions).containsExactly("timeout");
        assertThat(rig.a.counted(Counter.LOCAL_ACK_TIMEOUT_ERR)).isOne();
        assertThat(rig.nextDeadline()).isEqualTo(2 * TIMEOUT);
    }

    /** The lease is gone, so that nothing can be sent after the wait. */
    @Test
    void noTimerRunsBetweenAWaitAndThePacketBehindIt() {
        Rig rig = unansweredRig();
        rig.a.post(Send.of(1, rig.a.slice(0, 8)));
        rig.run();
        rig.hears(100, Syndrome.rnr(1));
        rig.answersLeases = false;
        rig.a.machine.leaseRevoked(Side.KEY, rig.a.turn);
        rig.passes(10_000);
        assertThat(rig.wire).hasSize(1);
        assertThat(rig.nextDeadline()).isEqualTo(Long.MAX_VALUE);
        rig.answersLeases = true;
        rig.run();
        assertThat(rig.nextDeadline()).isEqualTo(10_000 + TIMEOUT);
    }

    // --- waits and gaps ---

    // rule rc-rnr-wait
    @Test
    void anRnrNakIsCountedAndItsWaitReported() {
        Rig rig = unansweredRig();
        rig.a.post(Send.of(1, rig.a.slice(0, 8)));
        rig.run();
        rig.now = 1000;
        rig.hears(100, Syndrome.rnr(12));
        assertThat(rig.a.counted(Counter.RNR_NAK_RETRY_ERR)).isOne();
        assertThat(rig.a.waits).containsExactly("100 for 640000");
        assertThat(rig.nextDeadline()).isEqualTo(641_000);
        rig.passes(641_000);
        assertThat(rig.a.retransmissions).containsExactly("RNR timer expired");
        assertThat(rig.a.counted(Counter.LOCAL_ACK_TIMEOUT_ERR)).isZero();
    }

    @Test
    void aNakDuringAnRnrWaitIsReportedAsDiscarded() {
        Rig rig = unansweredRig();
        rig.a.post(Send.of(1, rig.a.slice(0, 8)));
        rig.run();
        rig.hears(100, Syndrome.rnr(12));
        rig.hears(100, Syndrome.NAK_PSN_SEQUENCE);
        assertThat(rig.a.discarded).containsExactly("sending continues when the RNR timer expires");
        assertThat(rig.a.counted(Counter.PACKET_SEQ_ERR)).isOne();
    }

    // rule rc-go-back-once
    /** The retransmitted packets are refused for lack of a receive; after that wait the gap may occur again. */
    @Test
    void aNakOfTheSameGapAfterAWaitCausesARetransmission() {
        Rig rig = unansweredRig();
        rig.a.post(Send.of(1, rig.a.slice(0, 8)));
        rig.run();
        rig.hears(100, Syndrome.NAK_PSN_SEQUENCE);
        rig.hears(100, Syndrome.rnr(1));
        rig.passes(10_000);
        rig.hears(100, Syndrome.NAK_PSN_SEQUENCE);
        assertThat(rig.a.retransmissions)
                .containsExactly("NAK PSN sequence error", "RNR timer expired", "NAK PSN sequence error");
    }

    // rule rc-go-back-once
    @Test
    void anImpliedNakOfTheSameGapAfterATimeoutRetransmits() {
        Rig rig = unansweredRig();
        rig.a.post(rig.read(1, 8));
        rig.a.post(rig.write(2, 8));
        rig.run();
        rig.hears(101, Syndrome.ACK);
        rig.hears(101, Syndrome.ACK);
        assertThat(rig.a.retransmissions).hasSize(1);
        assertThat(rig.a.counted(Counter.IMPLIED_NAK_SEQ_ERR)).isOne();
        rig.passes(TIMEOUT);
        rig.hears(101, Syndrome.ACK);
        assertThat(rig.a.retransmissions).hasSize(3);
    }

    // rule rc-cumulative-ack
    /** The response acknowledges the WRITE before its READ, so the retry count is full again when the gap is detected. */
    @Test
    void aResponseBehindAGapThatAcknowledgesRequestsIsProgress() {
        Rig rig = new Rig(Rig.TERMS.withTimeoutCode(8).withRetryCount(1));
        rig.lets = (from, packet) -> false;
        rig.a.post(rig.write(1, 8));
        rig.a.post(rig.read(2, 2000));
        rig.run();
        rig.passes(TIMEOUT);
        rig.inject(rig.a, Opcode.RC_READ_RESPONSE_LAST, 102, 976, new Aeth(Syndrome.ACK, 2));
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
        assertThat(rig.a.retransmissions).containsExactly("timeout", "a response is missing (implied NAK)");
    }

    // --- after a reset ---

    // rule rc-go-back-once
    @Test
    void gapsOfOneConnectionDoNotSuppressThoseOfTheNext() {
        Rig rig = unansweredRig();
        rig.a.post(rig.write(1, 8));
        rig.run();
        rig.hears(100, Syndrome.NAK_PSN_SEQUENCE);
        rig.reconnect(rig.a);
        rig.a.post(rig.write(2, 8));
        rig.run();
        rig.hears(100, Syndrome.NAK_PSN_SEQUENCE);
        assertThat(rig.a.retransmissions).hasSize(2);
    }

    @Test
    void anAnswerHeldForALeaseDoesNotOutliveItsConnection() {
        Rig rig = new Rig();
        rig.answersLeases = false;
        rig.a.post(rig.read(1, 8));
        rig.run(rig.a);
        rig.inject(rig.a, Opcode.RC_READ_RESPONSE_ONLY, 100, 8, new Aeth(Syndrome.ACK, 1));
        assertThat(rig.a.asked).hasSize(1);
        rig.reconnect(rig.a);
        rig.a.post(rig.read(2, 8));
        rig.run(rig.a);
        rig.a.machine.leaseGranted(rig.a.lease(Side.KEY), rig.a.at(rig.now));
        assertThat(rig.a.sends).isEmpty();
    }

    // rule memory-waiting-bounded
    @Test
    void answersThatWaitForALeaseAreBounded() {
        Rig rig = unansweredRig();
        rig.answersLeases = false;
        rig.a.post(rig.read(1, 8000));
        rig.run();
        List<String> heldBack = new ArrayList<>();
        for (int i = 0; i <= PsnWindow.MAX_PACKETS; i++) {
            rig.inject(rig.a, Opcode.RC_READ_RESPONSE_FIRST, 100, 1024, new Aeth(Syndrome.ACK, 1));
            heldBack.addAll(rig.a.discarded);
            assertThat(heldBack).as("answer %s", i).hasSize(i == PsnWindow.MAX_PACKETS ? 1 : 0);
        }
        assertThat(heldBack).containsExactly("receive buffer full while waiting for a lease");
    }

    // --- bad responses ---

    // rules rc-fatal-nak, wire-syndrome
    @ParameterizedTest
    @CsvSource({"0x61, REQ_REMOTE_INVALID_REQUEST, REM_INV_REQ_ERR", "0x62, REQ_REMOTE_ACCESS_ERRORS, REM_ACCESS_ERR"})
    void aFatalNakIsCountedAndReported(String syndrome, Counter counter, Status status) {
        Rig rig = unansweredRig();
        rig.a.post(rig.write(1, 8));
        rig.run();
        rig.hears(100, Integer.decode(syndrome));
        assertThat(rig.a.counted(counter)).isOne();
        assertThat(rig.a.failures).singleElement().asString().startsWith("its peer answered NAK ");
        assertThat(rig.a.sendStatuses()).containsExactly(status);
    }

    // rule rc-bad-response
    @Test
    void anAtomicsAnswerToASendIsABadResponseAndItsBufferStays() {
        Rig rig = unansweredRig();
        rig.fill(rig.a, 0, 8, 1);
        byte[] before = rig.a.memory.read(0, 8);
        rig.a.post(Send.of(1, rig.a.slice(0, 8)));
        rig.run();
        rig.inject(
                rig.a,
                Opcode.RC_ATOMIC_ACKNOWLEDGE,
                100,
                Octets.NONE,
                new Aeth(Syndrome.ACK, 1),
                new AtomicAckEth(0x1234));
        assertThat(rig.a.sendStatuses()).containsExactly(Status.BAD_RESP_ERR);
        assertThat(rig.a.memory.read(0, 8)).isEqualTo(before);
    }

    // rule rc-bad-response
    @Test
    void aReadResponseWithANakInItIsABadResponse() {
        Rig rig = unansweredRig();
        rig.a.post(rig.read(1, 8));
        rig.run();
        rig.inject(rig.a, Opcode.RC_READ_RESPONSE_ONLY, 100, 8, new Aeth(Syndrome.NAK_REMOTE_ACCESS, 1));
        assertThat(rig.a.sendStatuses()).containsExactly(Status.BAD_RESP_ERR);
    }

    // rule rc-bad-response
    @Test
    void aReadResponseToAnAtomicIsABadResponse() {
        Rig rig = unansweredRig();
        rig.a.post(org.hcaactors.api.work.FetchAdd.of(1, rig.a.slice(0, 8), rig.b.remote(0), 1));
        rig.run();
        rig.inject(rig.a, Opcode.RC_READ_RESPONSE_ONLY, 100, 8, new Aeth(Syndrome.ACK, 1));
        assertThat(rig.a.sendStatuses()).containsExactly(Status.BAD_RESP_ERR);
    }

    @Test
    void onlyResentPacketsAreReportedAsRetransmitted() {
        Rig rig = unansweredRig();
        rig.a.post(rig.write(1, 2500));
        rig.run();
        assertThat(rig.a.sentAgain).isEmpty();
        rig.hears(101, Syndrome.NAK_PSN_SEQUENCE);
        rig.a.post(rig.write(2, 8));
        rig.run();
        assertThat(rig.a.sentAgain).extracting(Packet::psn).containsExactly(101, 102);
    }
}
