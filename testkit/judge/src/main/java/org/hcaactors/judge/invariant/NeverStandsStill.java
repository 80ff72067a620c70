// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.Optional;
import java.util.Set;
import org.hcaactors.adapter.books.Statement;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.Known;
import org.hcaactors.lab.invariant.Ledger;
import org.hcaactors.lab.invariant.QpName;

/**
 * At rest no queue pair has work that it could do, or waits for what nobody owes it. Only an RC requester without a local ACK
 * timeout may wait, for what was lost or was never meant; requests without completion count as the others do.
 */
final class NeverStandsStill implements Invariant {
    private static final long NEVER = Long.MAX_VALUE;

    private final Ledger ledger;
    private final Losses losses = new Losses();

    NeverStandsStill(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public String name() {
        return "never-stands-still";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Losses.KINDS;
    }

    @Override
    public void on(TraceEvent event, Known known, Report report) {
        losses.on(event, known);
    }

    @Override
    public void atQuiet(Known known, Report report) {
        ledger.statements(Statement.QueuePair.class)
                .forEach(each -> whyWrong(each, known)
                        .ifPresent(why -> report.broken(name(each) + " in " + each.state() + " " + why)));
    }

    private static QpName name(Statement.QueuePair queuePair) {
        return QpName.of(queuePair.adapter(), queuePair.number());
    }

    private Optional<String> whyWrong(Statement.QueuePair queuePair, Known known) {
        Optional<String> stuck = whyStuck(queuePair.standing());
        return stuck.isPresent() ? stuck : whyUndone(queuePair, known);
    }

    private static Optional<String> whyStuck(Statement.Standing standing) {
        if (!standing.asked().isEmpty()) {
            return Optional.of("asked for the key 0x%08x and was never answered"
                    .formatted(standing.asked().getFirst()));
        }
        if (standing.awaitsReceive()) {
            return Optional.of("asked its shared receive queue and was never answered");
        }
        if (standing.held() > 0) {
            return Optional.of("holds " + standing.held() + " packets and waits for nothing");
        }
        if (standing.answers() > 0) {
            return Optional.of("owes " + standing.answers() + " answers and does not send them");
        }
        if (standing.deadline() != NEVER) {
            return Optional.of("has a deadline at " + standing.deadline() + " ns and no timer");
        }
        return standing.backingOff() ? Optional.of("waits out an RNR NAK without a timer") : Optional.empty();
    }

    private Optional<String> whyUndone(Statement.QueuePair queuePair, Known known) {
        if (queuePair.credits() <= Endpoint.INITIAL_CREDITS / 2) {
            return Optional.of("got only " + queuePair.credits() + " of its credits back");
        }
        boolean mayStart = queuePair.state() != QpState.SQD;
        if (mayStart && queuePair.waiting() > 0 && queuePair.started() == 0) {
            return Optional.of("has " + queuePair.waiting() + " requests, awaits nothing and starts none");
        }
        return queuePair.started() == 0 || mayWait(queuePair, known)
                ? Optional.empty()
                : Optional.of(
                        "waits for " + queuePair.started() + " requests without a timer, and nothing of them was lost");
    }

    private boolean mayWait(Statement.QueuePair queuePair, Known known) {
        boolean sends = queuePair.state() == QpState.RTS || queuePair.state() == QpState.SQD;
        return sends && queuePair.standing().waitsForEver() && mayBeOwed(name(queuePair), known);
    }

    /** Where nobody watched, nobody knows what was lost. */
    private boolean mayBeOwed(QpName name, Known known) {
        return known.queuePair(name)
                .map(facts -> known.isDeceived(name) || losses.mayWait(name, facts))
                .orElse(true);
    }
}
