// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.lab.invariant.HandMadeTrace.packet;

import java.util.List;
import org.hcaactors.adapter.flow.HcaEvent;
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

class SequenceNumbersTest {
    private static final int FIRST = 100;
    private static final int PEER = 99;

    private final HandMadeTrace trace = new HandMadeTrace(new SequenceNumbers(), QpType.RC);

    private void connect() {
        connect(FIRST);
    }

    private void connect(int first) {
        QpModify change = QpModify.to(QpState.RTS, new QpAttribute.SendPsn(first));
        trace.tell(new HcaEvent.Modified(trace.next(), HandMadeTrace.PORT, HandMadeTrace.WHO, change));
    }

    /** Writes the data of an answer to the first PSN to memory. */
    private Stamp takesAnAnswer() {
        Stamp arrival = trace.next();
        trace.tell(new FabricEvent.Delivered(
                arrival, HandMadeTrace.PORT, packet(Opcode.RC_READ_RESPONSE_MIDDLE, HandMadeTrace.QP, FIRST)));
        Stamp effect = trace.next(arrival.id(), 0);
        trace.tell(new HcaEvent.MemoryWritten(
                effect, HandMadeTrace.PORT, HandMadeTrace.WHO, 0x100, 0, Octets.NONE, false));
        return effect;
    }

    private void listens() {
        QpModify change = QpModify.to(QpState.RTR, new QpAttribute.ReceivePsn(FIRST));
        trace.tell(new HcaEvent.Modified(trace.next(), HandMadeTrace.PORT, HandMadeTrace.WHO, change));
    }

    /** Lets the first message arrive, and acknowledges it with the given MSN. */
    private void acknowledges(int msn) {
        acknowledges(packet(Opcode.RC_SEND_ONLY, HandMadeTrace.QP, FIRST), Opcode.RC_ACKNOWLEDGE, msn);
    }

    private void acknowledges(Packet request, Opcode by, int msn) {
        answers(request, by, Syndrome.ACK, msn);
    }

    private void answers(Packet request, Opcode by, int syndrome, int msn) {
        Stamp arrival = trace.next();
        trace.tell(new FabricEvent.Delivered(arrival, HandMadeTrace.PORT, request));
        List<ExtendedHeader> aeth = List.of(new ExtendedHeader.Aeth(syndrome, msn));
        Bth bth = Bth.of(by, false, true, 0, 0xFFFF, PEER, false, request.psn());
        Packet answer = new Packet(request.route(), bth, aeth, Octets.NONE);
        trace.tell(new FabricEvent.Sent(trace.next(arrival.id(), 0), HandMadeTrace.PORT, HandMadeTrace.WHO, answer));
    }

    /** A message of one packet, of that number after the first. */
    private static Packet send(int number) {
        return packet(Opcode.RC_SEND_ONLY, HandMadeTrace.QP, FIRST + number);
    }

    private static Packet read() {
        List<ExtendedHeader> reth = List.of(new ExtendedHeader.Reth(0x1000, 5, 8));
        Bth bth = Bth.of(Opcode.RC_READ_REQUEST, false, true, 0, 0xFFFF, HandMadeTrace.QP, true, FIRST);
        return new Packet(packet(Opcode.RC_SEND_ONLY, PEER, FIRST).route(), bth, reth, Octets.NONE);
    }

    private void sends(long posting, long now) {
        sends(posting, now, FIRST);
    }

    private void sends(long posting, long now, int psn) {
        Stamp stamp = new Stamp(trace.next().id(), now, posting, 0);
        trace.tell(new FabricEvent.Sent(
                stamp, HandMadeTrace.PORT, HandMadeTrace.WHO, packet(Opcode.RC_SEND_ONLY, PEER, psn)));
    }

    @Test
    void theFirstMessageOfAConnectionHasMsnOne() {
        listens();
        acknowledges(1);
        assertThat(trace.stories()).isEmpty();
    }

    @Test
    void anMsnThatContinuesFromTheConnectionBeforeIsFound() {
        listens();
        acknowledges(3);
        assertThat(trace.stories())
                .singleElement()
                .asString()
                .contains("answers with msn 3, but only 1 messages have arrived");
    }

    // rule rc-msn
    @Test
    void anMsnBelowTheAcknowledgedMessagesIsFound() {
        listens();
        acknowledges(1);
        acknowledges(send(1), Opcode.RC_ACKNOWLEDGE, 1);
        assertThat(trace.stories())
                .singleElement()
                .asString()
                .contains("answers with msn 1, but has acknowledged 2 messages");
    }

    // rule rc-msn
    @Test
    void anMsnThatLacksAnAnsweredReadIsFound() {
        listens();
        acknowledges(read(), Opcode.RC_READ_RESPONSE_ONLY, 0);
        assertThat(trace.stories())
                .singleElement()
                .asString()
                .contains("answers with msn 0, but has acknowledged 1 messages");
    }

    // rule rc-msn
    @Test
    void aNakWithoutEarlierMessagesIsFound() {
        listens();
        acknowledges(packet(Opcode.RC_SEND_FIRST, HandMadeTrace.QP, FIRST), Opcode.RC_ACKNOWLEDGE, 0);
        trace.tell(new FabricEvent.Delivered(
                trace.next(), HandMadeTrace.PORT, packet(Opcode.RC_SEND_LAST, HandMadeTrace.QP, FIRST + 1)));
        answers(send(2), Opcode.RC_ACKNOWLEDGE, Syndrome.rnr(1), 0);
        assertThat(trace.stories())
                .singleElement()
                .asString()
                .contains("answers with msn 0, but has acknowledged 1 messages");
    }

    /** The second message finds no receive, comes again, and is counted then; the first one comes again in between. */
    @Test
    void aDelayedMessageIsCountedWhenItIsDone() {
        listens();
        acknowledges(1);
        answers(send(1), Opcode.RC_ACKNOWLEDGE, Syndrome.rnr(1), 1);
        acknowledges(1);
        acknowledges(send(1), Opcode.RC_ACKNOWLEDGE, 2);
        acknowledges(2);
        assertThat(trace.stories()).isEmpty();
    }

    /** A forged packet made it say so, which is forgotten with the life in which it came. */
    @Test
    void anAnswerInFlightAtAResetIsNotChecked() {
        listens();
        trace.state(QpState.RTR, QpState.RESET);
        acknowledges(send(5), Opcode.RC_ACKNOWLEDGE, 6);
        assertThat(trace.stories()).isEmpty();
    }

    /** Whose packets answer, not whose queue pair it is, says what is judged. */
    @Test
    void anAcknowledgementOfXrcIsCheckedLikeOneOfRc() {
        listens();
        Bth bth = Bth.of(Opcode.XRC_SEND_ONLY, false, true, 0, 0xFFFF, HandMadeTrace.QP, true, FIRST);
        Packet request = new Packet(
                packet(Opcode.RC_SEND_ONLY, PEER, FIRST).route(),
                bth,
                List.of(new ExtendedHeader.XrcEth(0, 5)),
                Octets.NONE);
        acknowledges(request, Opcode.XRC_ACKNOWLEDGE, 3);
        assertThat(trace.stories())
                .singleElement()
                .asString()
                .contains("answers with msn 3, but only 1 messages have arrived");
    }

    // rule rc-duplicate
    @Test
    void anAcknowledgementWithAReadsPsnIsFound() {
        listens();
        acknowledges(read(), Opcode.RC_ACKNOWLEDGE, 1);
        assertThat(trace.stories())
                .singleElement()
                .asString()
                .contains("acknowledges psn " + FIRST + ", which belongs to a READ");
    }

    @Test
    void anAnswerToAPacketSentInTheSameInstantIsRight() {
        connect();
        long posting = trace.posted(1);
        Stamp effect = takesAnAnswer();
        sends(posting, effect.nanos());
        trace.state(QpState.RTS, QpState.SQD);
        trace.quiet();
        assertThat(trace.stories()).isEmpty();
    }

    @Test
    void aPacketSentBeforeAReconnectMayReachTheWireAfterIt() {
        connect();
        long posting = trace.posted(1);
        connect(FIRST - 50);
        sends(posting, trace.next().nanos());
        assertThat(trace.stories()).isEmpty();
        sends(trace.posted(2), trace.next().nanos());
        assertThat(trace.stories())
                .singleElement()
                .asString()
                .contains("sends psn " + FIRST + ", but psn " + (FIRST - 50) + " is next");
    }

    @Test
    void aRequestSentLongAfterItsPostingHasTheNextPsn() {
        connect();
        long posting = trace.posted(1);
        trace.outliveMemory();
        sends(posting, trace.next().nanos());
        sends(trace.posted(2), trace.next().nanos(), FIRST + 1);
        assertThat(trace.stories()).isEmpty();
        sends(trace.posted(3), trace.next().nanos(), FIRST + 3);
        assertThat(trace.stories()).hasSize(1);
    }

    @Test
    void anAnswerToAPacketSentLaterIsFound() {
        connect();
        long posting = trace.posted(1);
        Stamp effect = takesAnAnswer();
        sends(posting, effect.nanos() + 1);
        assertThat(trace.stories()).singleElement().asString().contains("but psn " + FIRST + " is not sent yet");
    }

    @Test
    void anAnswerToAPacketNeverSentIsFoundWhenTheRunIsQuiet() {
        connect();
        takesAnAnswer();
        trace.quiet();
        assertThat(trace.stories()).singleElement().asString().contains("is not sent yet");
    }
}
