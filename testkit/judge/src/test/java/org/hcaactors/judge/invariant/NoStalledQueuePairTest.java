// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.lab.invariant.HandMadeTrace.packet;
import static org.hcaactors.lab.invariant.TestResourceAudit.queuePair;

import java.util.List;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.flow.GoBack;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.adapter.flow.StateReason;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.lab.invariant.HandMadeTrace;
import org.hcaactors.lab.invariant.TestResourceAudit;
import org.junit.jupiter.api.Test;

class NoStalledQueuePairTest {
    private static final long NEVER = Long.MAX_VALUE;
    private static final int PEER = 99;

    private final TestResourceAudit audit = new TestResourceAudit();
    private final HandMadeTrace trace = new HandMadeTrace(new NoStalledQueuePair(audit.ledger), QpType.RC);

    private ResourceSnapshot.Pending standing = TestResourceAudit.WAITS_FOR_NOTHING;

    private void connect(int timeout) {
        standing = timeout == 0 ? TestResourceAudit.MAY_WAIT_FOR_EVER : TestResourceAudit.WAITS_FOR_NOTHING;
        trace.state(QpState.INIT, QpState.RTR);
        QpModify change =
                QpModify.to(QpState.RTS, new QpAttribute.Timeout(timeout), new QpAttribute.DestinationQp(PEER));
        trace.tell(new HcaEvent.Modified(trace.next(), HandMadeTrace.PORT, HandMadeTrace.WHO, change));
        trace.state(QpState.RTR, QpState.RTS);
    }

    private long lose() {
        long posting = trace.posted(1);
        lose(trace.next(posting, 0), PEER);
        return posting;
    }

    private void lose(Stamp stamp, int destination) {
        Packet packet = packet(Opcode.RC_SEND_ONLY, destination, 0);
        trace.tell(new FabricEvent.Dropped(stamp, HandMadeTrace.PORT, packet, "by a test"));
    }

    private void stands(ResourceSnapshot.QueuePair how) {
        audit.open(how);
        trace.quiet();
    }

    private void stands(QpState state, int waiting, int started) {
        stands(queuePair(state, waiting, started, standing, List.of()));
    }

    private void waitsWith(ResourceSnapshot.Pending standing) {
        stands(queuePair(QpState.RTS, 0, 0, standing, List.of()));
    }

    @Test
    void anIdleQueuePairIsRight() {
        stands(QpState.RTS, 0, 0);
        assertThat(trace.stories()).isEmpty();
    }

    @Test
    void unstartedRequestsInSqdAreRight() {
        stands(QpState.SQD, 3, 0);
        assertThat(trace.stories()).isEmpty();
    }

    @Test
    void requestsThatAreNeverStartedAreFound() {
        connect(0);
        lose();
        stands(QpState.RTS, 3, 0);
        assertThat(trace.stories())
                .singleElement()
                .asString()
                .contains("has 3 requests, but neither waits for an event");
    }

    @Test
    void aRequestWithoutATimerIsFoundIfThereIsATimeout() {
        connect(14);
        lose();
        stands(QpState.RTS, 0, 1);
        assertThat(trace.stories()).singleElement().asString().contains("without a timer");
    }

    @Test
    void withoutATimeoutALostPacketMayBeAwaited() {
        connect(0);
        lose();
        stands(QpState.RTS, 2, 1);
        assertThat(trace.stories()).isEmpty();
    }

    @Test
    void withoutATimeoutAndALossAWaitIsFound() {
        connect(0);
        stands(QpState.RTS, 0, 1);
        assertThat(trace.stories()).singleElement().asString().contains("none of their packets was lost");
    }

    /** Returns a snapshot of another queue pair, of which only the resource audit is known. */
    private static ResourceSnapshot.QueuePair unwatched(ResourceSnapshot.Pending standing) {
        ResourceSnapshot.QueuePair like = queuePair(QpState.RTS, 0, 1, standing, List.of());
        return new ResourceSnapshot.QueuePair(
                "b", PEER, like.state(), 0, 1, like.credits(), like.slots(), standing, like.queues(), like.leases());
    }

    @Test
    void aRequestWithoutATimerIsFoundAlsoWithoutATrace() {
        stands(unwatched(TestResourceAudit.WAITS_FOR_NOTHING));
        assertThat(trace.stories()).singleElement().asString().contains("without a timer");
    }

    @Test
    void withoutATimeoutAndATraceEveryWaitIsRight() {
        stands(unwatched(TestResourceAudit.MAY_WAIT_FOR_EVER));
        assertThat(trace.stories()).isEmpty();
    }

    @Test
    void aRetransmissionRepairsALoss() {
        connect(0);
        lose();
        trace.tell(new HcaEvent.Retransmitting(
                trace.next(), HandMadeTrace.PORT, HandMadeTrace.WHO, 0, GoBack.SEQUENCE_NAK));
        stands(QpState.RTS, 0, 1);
        assertThat(trace.stories()).hasSize(1);
    }

    private long sent(long posting) {
        Stamp stamp = trace.next(posting, 0);
        trace.tell(new FabricEvent.Sent(
                stamp, HandMadeTrace.PORT, HandMadeTrace.WHO, packet(Opcode.RC_SEND_ONLY, PEER, 1)));
        return stamp.id();
    }

    private void goesBack() {
        trace.tell(new HcaEvent.Retransmitting(
                trace.next(), HandMadeTrace.PORT, HandMadeTrace.WHO, 0, GoBack.IMPLIED_NAK));
    }

    private void ignoresTheAnswerTo(long sent) {
        Packet answer = packet(Opcode.RC_READ_RESPONSE_MIDDLE, HandMadeTrace.QP, 1);
        Stamp arrival = trace.next(sent, 0);
        trace.tell(new FabricEvent.Delivered(arrival, HandMadeTrace.PORT, answer));
        trace.tell(new HcaEvent.Discarded(
                trace.next(arrival.id(), 0),
                HandMadeTrace.PORT,
                HandMadeTrace.WHO,
                answer,
                Ignored.Plainly.WENT_BACK_FOR_RESPONSE));
    }

    /** The wire reordered the answers to the retransmission: no further one arrives. */
    @Test
    void anAnswerIgnoredAsOutOfOrderMayBeAwaited() {
        connect(0);
        long posting = trace.posted(1);
        sent(posting);
        goesBack();
        ignoresTheAnswerTo(sent(posting));
        stands(QpState.RTS, 0, 1);
        assertThat(trace.stories()).isEmpty();
    }

    @Test
    void anAnswerFromBeforeARetransmissionIsSentAgain() {
        connect(0);
        long posting = trace.posted(1);
        long before = sent(posting);
        goesBack();
        sent(posting);
        ignoresTheAnswerTo(before);
        stands(QpState.RTS, 0, 1);
        assertThat(trace.stories()).singleElement().asString().contains("none of their packets was lost");
    }

    @Test
    void completingTheLostRequestEndsTheExcuse() {
        connect(0);
        trace.ended(1, lose(), Status.SUCCESS);
        stands(QpState.RTS, 0, 1);
        assertThat(trace.stories()).hasSize(1);
    }

    @Test
    void completingAnEarlierRequestKeepsTheExcuse() {
        connect(0);
        long before = trace.posted(0);
        lose();
        trace.ended(0, before, Status.SUCCESS);
        stands(QpState.RTS, 0, 1);
        assertThat(trace.stories()).isEmpty();
    }

    @Test
    void aLostForgeryIsNoExcuse() {
        connect(0);
        Stamp forged = trace.next();
        Packet packet = packet(Opcode.RC_SEND_ONLY, PEER, 0);
        trace.tell(new FabricEvent.Forged(forged, "b", packet, Octets.NONE, "by a test"));
        lose(trace.next(forged.id(), 0), PEER);
        stands(QpState.RTS, 0, 1);
        assertThat(trace.stories()).singleElement().asString().contains("none of their packets was lost");
    }

    @Test
    void aLostPacketOfUnknownOriginMayBeItsOwn() {
        connect(0);
        lose(trace.next(), PEER);
        stands(QpState.RTS, 0, 1);
        assertThat(trace.stories()).isEmpty();
    }

    @Test
    void aPacketLostOnTheWayToAnotherQueuePairIsNoExcuse() {
        connect(0);
        lose(trace.next(), PEER + 1);
        stands(QpState.RTS, 0, 1);
        assertThat(trace.stories()).hasSize(1);
    }

    @Test
    void aPeerThatMovedToErrExcusesAWait() {
        connect(0);
        trace.tell(new HcaEvent.StateChanged(
                trace.next(), "b", Element.queuePair(PEER), QpState.RTS, QpState.ERR, StateReason.MODIFIED));
        stands(QpState.RTS, 0, 1);
        assertThat(trace.stories()).isEmpty();
    }

    @Test
    void requestsNotFlushedInErrAreFound() {
        connect(0);
        lose();
        stands(QpState.ERR, 0, 1);
        assertThat(trace.stories()).hasSize(1);
    }

    @Test
    void anRnrWaitWithoutATimerIsFoundDespiteLoss() {
        connect(0);
        lose();
        waitsWith(new ResourceSnapshot.Pending(NEVER, true, 0, 0, List.of(), false));
        assertThat(trace.stories()).singleElement().asString().contains("RNR NAK without a timer");
    }

    @Test
    void aMissedDeadlineIsFound() {
        waitsWith(new ResourceSnapshot.Pending(12, false, 0, 0, List.of(), false));
        assertThat(trace.stories()).singleElement().asString().contains("deadline at 12 ns");
    }

    @Test
    void anUnansweredRequestForALeaseIsFound() {
        waitsWith(new ResourceSnapshot.Pending(NEVER, false, 0, 0, List.of(0x200), false));
        assertThat(trace.stories()).singleElement().asString().contains("key 0x00000200");
    }

    @Test
    void heldPacketsAndPendingAnswersAreFound() {
        waitsWith(new ResourceSnapshot.Pending(NEVER, false, 2, 0, List.of(), false));
        waitsWith(new ResourceSnapshot.Pending(NEVER, false, 0, 1, List.of(), false));
        assertThat(trace.stories())
                .anyMatch(story -> story.contains("holds 2"))
                .anyMatch(story -> story.contains("owes 1"));
    }
}
