// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.adapter.flow.GoBack;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.RetriesExhausted;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.QpFacts;
import org.hcaactors.lab.invariant.QpName;
import org.hcaactors.lab.invariant.TraceState;

/**
 * An RC requester does not retransmit without limit, and fails a request only after it has used all retries of its oldest
 * packet: retry_cnt retransmissions, or rnr_retry waits after RNR NAKs. The two are counted separately, and a wait for a page
 * counts as neither (rules rc-retry-count, rc-rnr-count, paging-response; IBA 9.7.5.1.4, 9.7.5.2.8).
 */
final class RetryLimits implements Invariant {
    /**
     * Number of retransmissions that are allowed in addition, because some use no retry: for example, the second one of an RNR
     * pair, or one for a gap that is reported twice. More than any run needs.
     */
    private static final int EXTRA_RETRANSMISSIONS = 16;

    /** The retry count that Soft-RoCE treats as unlimited; with it the count is not checked. */
    private static final int INFINITE_RETRIES = 7;

    /** Retries and RNR waits of one packet since it became the oldest unacknowledged one. */
    private static final class Spent {
        int psn = -1;
        int retries;
        int waits;
        boolean waiting;

        void on(int oldest) {
            if (psn != oldest) {
                psn = oldest;
                retries = 0;
                waits = 0;
                waiting = false;
            }
        }
    }

    private final Map<QpName, Spent> spent = new LinkedHashMap<>();

    @Override
    public String name() {
        return "retry-limits";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(
                HcaEvent.BackedOff.class,
                HcaEvent.GaveUp.class,
                HcaEvent.Retransmitting.class,
                HcaEvent.StateChanged.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case HcaEvent.Retransmitting back -> wentBack(back, traceState, report);
            case HcaEvent.BackedOff wait -> waits(wait);
            case HcaEvent.GaveUp end -> gaveUp(end, traceState, report);
            // An RNR wait that began in RTS continues in SQD: only RESET ends it.
            case HcaEvent.StateChanged changed when changed.to() == QpState.RESET -> spent.remove(QpName.of(changed));
            default -> {}
        }
    }

    private Spent of(QpName qp, int psn) {
        Spent counts = spent.computeIfAbsent(qp, absent -> new Spent());
        counts.on(psn);
        return counts;
    }

    private void wentBack(HcaEvent.Retransmitting back, TraceState traceState, Report report) {
        QpName qp = QpName.of(back);
        if (traceState.hasStreams(qp)) {
            return;
        }
        Spent counts = of(qp, back.psn());
        if (counts.waiting && back.reason() == GoBack.RNR_TIMER_EXPIRED) {
            counts.waiting = false;
            return;
        }
        if (back.reason() == GoBack.PAGE_PRESENT) {
            return;
        }
        counts.retries++;
        int allowed = traceState.queuePair(qp).map(RetryLimits::retries).orElse(0);
        if (allowed != INFINITE_RETRIES
                && counts.retries > EXTRA_RETRANSMISSIONS + 2 * allowed
                && !traceState.isDeceived(qp)) {
            report.broken(qp + " went back to psn " + back.psn() + " " + counts.retries + " times; at most " + allowed
                    + " retries are allowed");
        }
    }

    private static int retries(QpFacts qp) {
        return qp.attribute(QpAttribute.RetryCount.class)
                .map(QpAttribute.RetryCount::count)
                .orElse(0);
    }

    /** Counts an RNR wait; another RNR NAK during the wait is not counted again. */
    private void waits(HcaEvent.BackedOff wait) {
        Spent counts = of(QpName.of(wait), wait.psn());
        counts.waits += counts.waiting ? 0 : 1;
        counts.waiting = true;
    }

    private void gaveUp(HcaEvent.GaveUp end, TraceState traceState, Report report) {
        QpName qp = QpName.of(end);
        if (traceState.hasStreams(qp)) {
            return;
        }
        Optional<QpFacts> facts = traceState.queuePair(qp);
        Spent counts = of(qp, end.psn());
        boolean forReceiver = end.reason() instanceof RetriesExhausted.RnrRetries;
        int allowed = forReceiver
                ? facts.flatMap(qpFacts -> qpFacts.attribute(QpAttribute.RnrRetry.class))
                        .map(QpAttribute.RnrRetry::count)
                        .orElse(0)
                : facts.map(RetryLimits::retries).orElse(0);
        int used = forReceiver ? counts.waits : counts.retries;
        if (used < allowed) {
            report.broken(qp + " gives up at psn " + end.psn() + " after " + used + " of " + allowed
                    + (forReceiver ? " waits for its receiver" : " retries"));
        }
    }
}
