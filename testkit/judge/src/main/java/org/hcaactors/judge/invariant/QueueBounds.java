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
 * Nothing in an adapter grows beyond its bound, whatever comes in, and no bound is stretched: what is free again was taken
 * before.
 */
final class QueueBounds implements Invariant {
    /** Answers to duplicates that may wait beyond the responder resources. */
    private static final int SPARE_ANSWERS = 16;
    /** Refusals, of which a peer hears before it sends more. */
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
    public void on(TraceEvent event, TraceState known, Report report) {
        // What is held stands in the books.
    }

    @Override
    public void betweenEvents(TraceState known, Report report) {
        ledger.statements(ResourceSnapshot.Bounded.class).forEach(each -> {
            switch (each) {
                case ResourceSnapshot.QueuePair queuePair -> queuePair(queuePair, known, report);
                case ResourceSnapshot.CompletionQueue queue -> {
                    if (queue.entries() > queue.capacity()) {
                        report.broken("%s/cq%d has %d entries in its %d places"
                                .formatted(queue.adapter(), queue.number(), queue.entries(), queue.capacity()));
                    }
                }
                case ResourceSnapshot.SharedReceives queue -> {
                    if (queue.receives() > queue.slots()) {
                        report.broken("%s/srq%d has %d receives in %d slots"
                                .formatted(queue.adapter(), queue.number(), queue.receives(), queue.slots()));
                    }
                }
            }
        });
    }

    private static void queuePair(ResourceSnapshot.QueuePair queuePair, TraceState known, Report report) {
        QpName qp = QpName.of(queuePair.adapter(), queuePair.number());
        int sends = queuePair.waiting() + queuePair.started();
        if (sends > queuePair.slots().sends()) {
            report.broken(
                    qp + " has " + sends + " requests in " + queuePair.slots().sends() + " slots of its send queue");
        }
        if (queuePair.slots().receives() < 0) {
            report.broken(qp + " got more slots of its receive queue back than it gave");
        }
        if (queuePair.credits() > Endpoint.INITIAL_CREDITS) {
            report.broken(qp + " has " + queuePair.credits() + " credits of " + Endpoint.INITIAL_CREDITS);
        }
        known.queuePair(qp)
                .flatMap(facts -> facts.attribute(QpAttribute.MaxDestRdAtomic.class))
                .map(QueueBounds::maxAnswers)
                .filter(max -> queuePair.standing().answers() > max)
                .ifPresent(max -> report.broken(
                        qp + " owes " + queuePair.standing().answers() + " answers; at most " + max + " may wait"));
    }

    /** With an acknowledgement before each of those that are not answers to duplicates. */
    private static int maxAnswers(QpAttribute.MaxDestRdAtomic resources) {
        return 3 * resources.count() + SPARE_ANSWERS + REFUSALS;
    }
}
