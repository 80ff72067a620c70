package org.hcaactors.lab.invariant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.lab.invariant.HandMadeBooks.queuePair;
import static org.hcaactors.lab.invariant.HandMadeTrace.packet;

import java.util.List;
import org.hcaactors.adapter.books.Statement;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.TransportClass;
import org.junit.jupiter.api.Test;

class NeverStandsStillTest {
    private static final long NEVER = Long.MAX_VALUE;
    private static final int PEER = 99;

    private final HandMadeBooks books = new HandMadeBooks();
    private final HandMadeTrace trace = new HandMadeTrace(new NeverStandsStill(books.ledger), TransportClass.RC);

    private void connect(int timeout) {
        trace.state(QpState.INIT, QpState.RTR);
        QpModify change =
                QpModify.to(QpState.RTS, new QpAttribute.Timeout(timeout), new QpAttribute.DestinationQp(PEER));
        trace.tell(new HcaEvent.Modified(trace.next(), HandMadeTrace.PORT, HandMadeTrace.QP, change));
        trace.state(QpState.RTR, QpState.RTS);
    }

    private void lose() {
        Packet packet = packet(Opcode.RC_SEND_ONLY, PEER, 0);
        trace.tell(new FabricEvent.Dropped(trace.next(trace.posted(1), 0), HandMadeTrace.PORT, packet, "by a test"));
    }

    private void stands(Statement.QueuePair how) {
        books.open(how);
        trace.quiet();
    }

    private void waitsWith(Statement.Standing standing) {
        stands(queuePair(QpState.RTS, 0, 0, standing, List.of()));
    }

    @Test
    void anIdleQueuePairIsRight() {
        stands(queuePair(QpState.RTS, 0, 0));
        assertThat(trace.stories()).isEmpty();
    }

    @Test
    void requestsThatAreNotStartedInSqdAreRight() {
        stands(queuePair(QpState.SQD, 3, 0));
        assertThat(trace.stories()).isEmpty();
    }

    @Test
    void requestsThatNobodyStartsAreFound() {
        connect(0);
        lose();
        stands(queuePair(QpState.RTS, 3, 0));
        assertThat(trace.stories()).singleElement().asString().contains("has 3 requests, awaits nothing");
    }

    @Test
    void aRequestWithoutTimerIsFoundWhereThereIsATimeout() {
        connect(14);
        lose();
        stands(queuePair(QpState.RTS, 0, 1));
        assertThat(trace.stories()).singleElement().asString().contains("without a timer");
    }

    @Test
    void withoutTimeoutWhatWasLostMayBeWaitedFor() {
        connect(0);
        lose();
        stands(queuePair(QpState.RTS, 2, 1));
        assertThat(trace.stories()).isEmpty();
    }

    @Test
    void withoutTimeoutAndWithoutALossNothingMayBeWaitedFor() {
        connect(0);
        stands(queuePair(QpState.RTS, 0, 1));
        assertThat(trace.stories()).singleElement().asString().contains("nothing of them was lost");
    }

    @Test
    void goingBackMakesALossGood() {
        connect(0);
        lose();
        trace.tell(new HcaEvent.Retransmitting(trace.next(), HandMadeTrace.PORT, HandMadeTrace.QP, 0, "a NAK"));
        stands(queuePair(QpState.RTS, 0, 1));
        assertThat(trace.stories()).hasSize(1);
    }

    @Test
    void aPeerThatBrokeItsSideMayBeWaitedFor() {
        connect(0);
        trace.tell(new HcaEvent.StateChanged(trace.next(), "b", PEER, QpState.RTS, QpState.ERR, "modify"));
        stands(queuePair(QpState.RTS, 0, 1));
        assertThat(trace.stories()).isEmpty();
    }

    @Test
    void requestsThatWereNotFlushedAreFound() {
        connect(0);
        lose();
        stands(queuePair(QpState.ERR, 0, 1));
        assertThat(trace.stories()).hasSize(1);
    }

    @Test
    void anRnrWaitWithoutATimerIsFoundWhateverWasLost() {
        connect(0);
        lose();
        waitsWith(new Statement.Standing(NEVER, true, 0, 0, List.of(), false));
        assertThat(trace.stories()).singleElement().asString().contains("RNR NAK without a timer");
    }

    @Test
    void aDeadlineThatNobodyKeepsIsFound() {
        waitsWith(new Statement.Standing(12, false, 0, 0, List.of(), false));
        assertThat(trace.stories()).singleElement().asString().contains("deadline at 12 ns");
    }

    @Test
    void questionsWithoutAnAnswerAreFound() {
        waitsWith(new Statement.Standing(NEVER, false, 0, 0, List.of(0x200), false));
        waitsWith(new Statement.Standing(NEVER, false, 0, 0, List.of(), true));
        assertThat(trace.stories()).hasSizeGreaterThan(1);
    }

    @Test
    void packetsThatAreHeldAndAnswersThatAreOwedAreFound() {
        waitsWith(new Statement.Standing(NEVER, false, 2, 0, List.of(), false));
        waitsWith(new Statement.Standing(NEVER, false, 0, 1, List.of(), false));
        assertThat(trace.stories())
                .anyMatch(story -> story.contains("holds 2"))
                .anyMatch(story -> story.contains("owes 1"));
    }
}
