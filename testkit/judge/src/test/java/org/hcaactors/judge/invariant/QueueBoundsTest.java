// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.lab.invariant.HandMadeTrace;
import org.hcaactors.lab.invariant.TestResourceAudit;
import org.hcaactors.lab.invariant.TraceState;
import org.junit.jupiter.api.Test;

class QueueBoundsTest {
    private static final ResourceSnapshot.Slots FREE = new ResourceSnapshot.Slots(0, 0);

    private static List<String> brokenBy(ResourceSnapshot snapshot) {
        TraceState traceState = new TraceState(name -> Optional.empty());
        HandMadeTrace.note(
                traceState,
                new HcaEvent.QueuePairCreated(
                        new Stamp(1, 1, 0, 0),
                        HandMadeTrace.PORT,
                        HandMadeTrace.WHO,
                        QpType.RC,
                        1,
                        1,
                        1,
                        OptionalInt.empty()));
        QpModify attributes = QpModify.to(QpState.RTR, new QpAttribute.MaxDestRdAtomic(1));
        HandMadeTrace.note(
                traceState,
                new HcaEvent.Modified(new Stamp(2, 2, 0, 0), HandMadeTrace.PORT, HandMadeTrace.WHO, attributes));
        TestResourceAudit audit = new TestResourceAudit();
        audit.open(snapshot);
        List<String> stories = new ArrayList<>();
        new QueueBounds(audit.ledger).betweenEvents(traceState, stories::add);
        return stories;
    }

    private static ResourceSnapshot.QueuePair queuePair(
            int started, int credits, ResourceSnapshot.Slots slots, int answers) {
        ResourceSnapshot.Pending standing =
                new ResourceSnapshot.Pending(Long.MAX_VALUE, false, 0, answers, List.of(), false);
        ResourceSnapshot.Queues queues = new ResourceSnapshot.Queues(1, 1);
        return new ResourceSnapshot.QueuePair(
                HandMadeTrace.PORT,
                HandMadeTrace.QP,
                QpState.RTS,
                0,
                started,
                credits,
                slots,
                standing,
                queues,
                List.of());
    }

    @Test
    void countsWithinTheirBoundsAreRight() {
        assertThat(brokenBy(queuePair(1, 256, new ResourceSnapshot.Slots(1, 0), 35)))
                .isEmpty();
        assertThat(brokenBy(new ResourceSnapshot.CompletionQueue(HandMadeTrace.PORT, 1, 0, 7, 7)))
                .isEmpty();
        assertThat(brokenBy(new ResourceSnapshot.SharedReceives(HandMadeTrace.PORT, 1, 0, 7, 7)))
                .isEmpty();
    }

    @Test
    void aRequestWithoutASlotIsFound() {
        assertThat(brokenBy(queuePair(1, 256, FREE, 0)))
                .containsExactly("a/qp17 has 1 requests, but only 0 slots in its send queue");
    }

    @Test
    void aSlotReturnedTwiceIsFound() {
        assertThat(brokenBy(queuePair(0, 256, new ResourceSnapshot.Slots(0, -1), 0)))
                .containsExactly("a/qp17 got more slots of its receive queue back than it had used");
    }

    @Test
    void aCreditAboveTheMaximumIsFound() {
        assertThat(brokenBy(queuePair(0, 257, FREE, 0))).containsExactly("a/qp17 has 257 credits; at most 256 exist");
    }

    @Test
    void tooManyPendingAnswersAreFound() {
        assertThat(brokenBy(queuePair(0, 256, FREE, 36)))
                .containsExactly("a/qp17 owes 36 answers; at most 35 are allowed");
    }

    @Test
    void aRingAboveItsCapacityIsFound() {
        assertThat(brokenBy(new ResourceSnapshot.CompletionQueue(HandMadeTrace.PORT, 1, 0, 8, 7)))
                .containsExactly("a/cq1 has 8 entries, but a capacity of 7");
    }

    @Test
    void aReceiveWithoutASlotIsFound() {
        assertThat(brokenBy(new ResourceSnapshot.SharedReceives(HandMadeTrace.PORT, 1, 0, 2, 1)))
                .containsExactly("a/srq1 has 2 receives, but only 1 slots");
    }
}
