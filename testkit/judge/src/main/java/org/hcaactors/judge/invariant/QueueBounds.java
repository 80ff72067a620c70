// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.Set;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.QpName;
import org.hcaactors.lab.invariant.ResourceLedger;
import org.hcaactors.lab.invariant.TraceState;

/**
 * Queues and lists in an adapter keep their bounds under any input, and no more slots or credits are returned than were taken.
 */
final class QueueBounds implements Invariant {
    /** Maximum number of answers to duplicates that may wait in addition to the responder resources. */
    private static final int SPARE_ANSWERS = 16;
    /** Maximum number of NAKs that may wait; the peer receives a NAK before it sends more. */
    private static final int REFUSALS = 16;

    private final ResourceLedger ledger;

    QueueBounds(ResourceLedger ledger) {
        this.ledger = ledger;
    }

    @Override
    public String name() {
        return "queue-bounds";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of();
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        // The resource audit has what is held.
    }

    @Override
    public void betweenEvents(TraceState traceState, Report report) {
        ledger.statements(ResourceSnapshot.Bounded.class).forEach(each -> {
            switch (each) {
                case ResourceSnapshot.QueuePair queuePair -> queuePair(queuePair, traceState, report);
                case ResourceSnapshot.CompletionQueue queue -> {
                    if (queue.entries() > queue.capacity()) {
                        report.broken("%s/cq%d has %d entries, but a capacity of %d"
                                .formatted(queue.adapter(), queue.number(), queue.entries(), queue.capacity()));
                    }
                }
                case ResourceSnapshot.SharedReceives queue -> {
                    if (queue.receives() > queue.slots()) {
                        report.broken("%s/srq%d has %d receives, but only %d slots"
                                .formatted(queue.adapter(), queue.number(), queue.receives(), queue.slots()));
                    }
                }
            }
        });
    }

    private static void queuePair(ResourceSnapshot.QueuePair queuePair, TraceState traceState, Report report) {
        QpName qp = QpName.of(queuePair.adapter(), queuePair.number());
        int sends = queuePair.waiting() + queuePair.started();
        if (sends > queuePair.slots().sends()) {
            report.broken(qp + " has " + sends + " requests, but only "
                    + queuePair.slots().sends() + " slots in its send queue");
        }
        if (queuePair.slots().receives() < 0) {
            report.broken(qp + " got more slots of its receive queue back than it had used");
        }
        if (queuePair.credits() > Endpoint.INITIAL_CREDITS) {
            report.broken(
                    qp + " has " + queuePair.credits() + " credits; at most " + Endpoint.INITIAL_CREDITS + " exist");
        }
        traceState
                .queuePair(qp)
                .flatMap(facts -> facts.attribute(QpAttribute.MaxDestRdAtomic.class))
                .map(QueueBounds::maxAnswers)
                .filter(max -> queuePair.pending().pendingResponses() > max)
                .ifPresent(max -> report.broken(qp + " owes "
                        + queuePair.pending().pendingResponses() + " answers; at most " + max + " are allowed"));
    }

    /**
     * Returns the maximum number of waiting answers: each answer that is not to a duplicate may have an acknowledgement before
     * it.
     */
    private static int maxAnswers(QpAttribute.MaxDestRdAtomic resources) {
        return 3 * resources.count() + SPARE_ANSWERS + REFUSALS;
    }
}
