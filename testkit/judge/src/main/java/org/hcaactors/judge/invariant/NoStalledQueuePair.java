// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.Optional;
import java.util.Set;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.QpName;
import org.hcaactors.lab.invariant.ResourceLedger;
import org.hcaactors.lab.invariant.TraceState;

/**
 * At rest no queue pair has work that it could do, or waits for something that no other part will deliver. Only an RC requester
 * without a local ACK timeout may wait, for a lost packet or one that was never sent to it; requests without completion count
 * as the others do.
 */
final class NoStalledQueuePair implements Invariant {
    private static final long NEVER = Long.MAX_VALUE;

    private final ResourceLedger ledger;
    private final Losses losses = new Losses();

    NoStalledQueuePair(ResourceLedger ledger) {
        this.ledger = ledger;
    }

    @Override
    public String name() {
        return "no-stalled-queue-pair";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Losses.KINDS;
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        losses.on(event, traceState);
    }

    @Override
    public void whenIdle(TraceState traceState, Report report) {
        ledger.statements(ResourceSnapshot.QueuePair.class)
                .forEach(each -> whyWrong(each, traceState)
                        .ifPresent(reason -> report.broken(name(each) + " in " + each.state() + " " + reason)));
    }

    private static QpName name(ResourceSnapshot.QueuePair queuePair) {
        return QpName.of(queuePair.adapter(), queuePair.number());
    }

    private Optional<String> whyWrong(ResourceSnapshot.QueuePair queuePair, TraceState traceState) {
        Optional<String> stuck = whyStuck(queuePair.pending());
        return stuck.isPresent() ? stuck : whyUndone(queuePair, traceState);
    }

    private static Optional<String> whyStuck(ResourceSnapshot.Pending standing) {
        if (!standing.requestedKeys().isEmpty()) {
            return Optional.of("requested a lease of key 0x%08x and never got an answer"
                    .formatted(standing.requestedKeys().getFirst()));
        }
        if (standing.heldPackets() > 0) {
            return Optional.of("holds " + standing.heldPackets() + " packets without waiting for an event");
        }
        if (standing.pendingResponses() > 0) {
            return Optional.of("owes " + standing.pendingResponses() + " answers and does not send them");
        }
        if (standing.deadline() != NEVER) {
            return Optional.of("has a deadline at " + standing.deadline() + " ns and no timer");
        }
        return standing.backingOff() ? Optional.of("waits after an RNR NAK without a timer") : Optional.empty();
    }

    private Optional<String> whyUndone(ResourceSnapshot.QueuePair queuePair, TraceState traceState) {
        if (queuePair.credits() <= Endpoint.INITIAL_CREDITS / 2) {
            return Optional.of("got only " + queuePair.credits() + " of its credits back");
        }
        boolean mayStart = queuePair.state() != QpState.SQD;
        if (mayStart && queuePair.waiting() > 0 && queuePair.started() == 0) {
            return Optional.of(
                    "has " + queuePair.waiting() + " requests, but neither waits for an event nor starts one");
        }
        return queuePair.started() == 0 || mayWait(queuePair, traceState)
                ? Optional.empty()
                : Optional.of("waits for " + queuePair.started()
                        + " requests without a timer, although none of their packets was lost");
    }

    private boolean mayWait(ResourceSnapshot.QueuePair queuePair, TraceState traceState) {
        boolean sends = queuePair.state() == QpState.RTS || queuePair.state() == QpState.SQD;
        return sends && queuePair.pending().hasNoTimeout() && mayWaitForLost(name(queuePair), traceState);
    }

    /** True if the queue pair may be waiting for a lost packet. Where packets were not observed, losses are unknown. */
    private boolean mayWaitForLost(QpName name, TraceState traceState) {
        return traceState
                .queuePair(name)
                .map(facts -> traceState.isDeceived(name) || losses.mayWait(name, facts))
                .orElse(true);
    }
}
