// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.lab.invariant.HandMadeTrace.packet;

import java.util.List;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.lab.invariant.HandMadeTrace;
import org.junit.jupiter.api.Test;

class EveryGapGetsNakTest {
    private static final int FIRST = 100;
    private static final int PEER = 99;

    private final HandMadeTrace trace = new HandMadeTrace(new EveryGapGetsNak(), QpType.RC);

    /** The first packet is lost, and the next one is dropped. */
    private void dropsTheSecondPacketOfALife() {
        begins();
        drops(FIRST + 1);
    }

    private void begins() {
        QpModify change = QpModify.to(QpState.RTR, new QpAttribute.ReceivePsn(FIRST));
        trace.tell(new HcaEvent.Modified(trace.next(), HandMadeTrace.PORT, HandMadeTrace.WHO, change));
    }

    private void drops(int psn) {
        trace.tell(new HcaEvent.Discarded(
                trace.next(),
                HandMadeTrace.PORT,
                HandMadeTrace.WHO,
                packet(Opcode.RC_SEND_ONLY, HandMadeTrace.QP, psn),
                Ignored.Plainly.NAK_PENDING));
    }

    private void answers(int psn, int syndrome) {
        Stamp arrival = trace.next();
        trace.tell(new FabricEvent.Delivered(
                arrival, HandMadeTrace.PORT, packet(Opcode.RC_SEND_ONLY, HandMadeTrace.QP, psn)));
        answers(arrival, psn, syndrome);
    }

    private void answers(Stamp arrival, int psn, int syndrome) {
        Packet bare = packet(Opcode.RC_SEND_ONLY, PEER, psn);
        Bth bth = Bth.of(Opcode.RC_ACKNOWLEDGE, false, true, 0, 0xFFFF, PEER, false, psn);
        Packet answer = new Packet(bare.route(), bth, List.of(new ExtendedHeader.Aeth(syndrome, 0)), Octets.NONE);
        trace.tell(new FabricEvent.Sent(trace.next(arrival.id(), 0), HandMadeTrace.PORT, HandMadeTrace.WHO, answer));
    }

    /** RNR NAK for 101, then for 100 again, which is a duplicate; 101 is lost when it is retransmitted. */
    @Test
    void aDelayedDuplicateDoesNotChangeTheReportedGap() {
        begins();
        answers(FIRST, Syndrome.ACK);
        answers(FIRST + 1, Syndrome.rnr(1));
        answers(FIRST, Syndrome.rnr(1));
        answers(FIRST, Syndrome.ACK);
        drops(FIRST + 2);
        answers(FIRST, Syndrome.ACK);
        trace.quiet();
        assertThat(trace.stories()).isEmpty();
    }

    @Test
    void aDropBehindAnUnreportedGapIsFound() {
        begins();
        answers(FIRST, Syndrome.rnr(1));
        answers(FIRST, Syndrome.ACK);
        drops(FIRST + 2);
        answers(FIRST, Syndrome.ACK);
        assertThat(trace.stories()).singleElement().asString().contains("sent no NAK since psn " + FIRST);
    }

    @Test
    void aGapAtTheStartOfAConnectionNeedsItsOwnNak() {
        dropsTheSecondPacketOfALife();
        trace.quiet();
        assertThat(trace.stories()).singleElement().asString().contains("never sent a NAK");
    }

    @Test
    void aQueuePairInErrorSendsNoNak() {
        dropsTheSecondPacketOfALife();
        trace.state(QpState.RTR, QpState.ERR);
        trace.quiet();
        assertThat(trace.stories()).isEmpty();
    }

    // rule rc-nak-once
    @Test
    void twoNaksForOneGapAreFound() {
        begins();
        answers(FIRST, Syndrome.NAK_PSN_SEQUENCE);
        answers(FIRST, Syndrome.NAK_PSN_SEQUENCE);
        assertThat(trace.stories()).singleElement().asString().contains("sends two NAKs for psn " + FIRST);
    }

    /** An answer to a duplicate closes no gap. */
    @Test
    void aSecondNakBehindADuplicateIsFound() {
        begins();
        answers(FIRST, Syndrome.ACK);
        answers(FIRST + 1, Syndrome.NAK_PSN_SEQUENCE);
        answers(FIRST, Syndrome.ACK);
        answers(FIRST + 1, Syndrome.NAK_PSN_SEQUENCE);
        assertThat(trace.stories()).hasSize(1);
    }

    @Test
    void everyOneOfTwoGapsNeedsItsNak() {
        begins();
        answers(FIRST, Syndrome.NAK_PSN_SEQUENCE);
        answers(FIRST + 2, Syndrome.NAK_PSN_SEQUENCE);
        assertThat(trace.stories()).isEmpty();
    }

    // rule rc-silent-behind-rnr
    /** The packet has come, and found no receive; then it is lost, and who is not silent behind an RNR NAK says so. */
    @Test
    void aGapMayGetASecondNakBehindAnRnrNak() {
        begins();
        answers(FIRST, Syndrome.NAK_PSN_SEQUENCE);
        answers(FIRST, Syndrome.rnr(1));
        answers(FIRST, Syndrome.NAK_PSN_SEQUENCE);
        assertThat(trace.stories()).isEmpty();
    }

    @Test
    void theSameGapOfAnotherConnectionIsADifferentOne() {
        begins();
        answers(FIRST, Syndrome.NAK_PSN_SEQUENCE);
        trace.state(QpState.RTR, QpState.RESET);
        begins();
        answers(FIRST, Syndrome.NAK_PSN_SEQUENCE);
        assertThat(trace.stories()).isEmpty();
    }

    /** It was on its way to the cable. */
    @Test
    void aNakOfTheConnectionBeforeDoesNotCountForThisOne() {
        begins();
        Stamp before = trace.next();
        trace.tell(new FabricEvent.Delivered(
                before, HandMadeTrace.PORT, packet(Opcode.RC_SEND_ONLY, HandMadeTrace.QP, FIRST + 1)));
        trace.state(QpState.RTR, QpState.RESET);
        begins();
        answers(before, FIRST, Syndrome.NAK_PSN_SEQUENCE);
        answers(FIRST, Syndrome.NAK_PSN_SEQUENCE);
        assertThat(trace.stories()).isEmpty();
    }
}
