// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.QpFacts;
import org.hcaactors.lab.invariant.QpName;
import org.hcaactors.lab.invariant.TraceState;

/**
 * SQ_DRAINED is raised once per move to SQD, and only if the modify requested it (rule qp-drain; IBA 11.6.3.4). A queue pair
 * with a shared receive queue, or an XRC target, that moves to ERR raises LAST_WQE_REACHED once (rule receive-last; IBA
 * 10.2.9.5), at the latest when the run is at rest.
 */
final class DrainEvents implements Invariant {
    /** State of one queue pair since its last state change. */
    private static final class Due {
        boolean inDrain;
        /** True if SQ_DRAINED was requested; empty until the trace has the modify event. */
        Optional<Boolean> requested = Optional.empty();

        int drained;
        boolean lastWqePending;
    }

    private final Map<QpName, Due> due = new LinkedHashMap<>();

    @Override
    public String name() {
        return "drain-events";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(HcaEvent.Modified.class, HcaEvent.Raised.class, HcaEvent.StateChanged.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case HcaEvent.StateChanged changed when changed.from() != changed.to() -> entered(changed, traceState);
            case HcaEvent.Modified modified -> modified(modified, report);
            case HcaEvent.Raised raised
            when raised.event().kind().source() == AsyncEvent.Source.QUEUE_PAIR -> raised(raised, report);
            default -> {}
        }
    }

    private void entered(HcaEvent.StateChanged changed, TraceState traceState) {
        QpName qp = QpName.of(changed);
        Due now = new Due();
        now.inDrain = changed.to() == QpState.SQD;
        now.lastWqePending = changed.to() == QpState.ERR
                && traceState.queuePair(qp).map(QpFacts::takesSharedReceives).orElse(false);
        due.put(qp, now);
    }

    private void modified(HcaEvent.Modified modified, Report report) {
        QpName qp = QpName.of(modified);
        Due now = due.get(qp);
        if (now != null && now.inDrain && now.requested.isEmpty()) {
            now.requested = Optional.of(modified.change().attributes().stream()
                    .anyMatch(each -> each instanceof QpAttribute.NotifyWhenDrained drained && drained.requested()));
            check(qp, now, report);
        }
    }

    private void raised(HcaEvent.Raised raised, Report report) {
        QpName qp = QpName.of(raised.port(), raised.event().element());
        Due now = due.get(qp);
        if (now == null) {
            return;
        }
        if (raised.event().kind() == AsyncEvent.Kind.SQ_DRAINED) {
            now.drained++;
            check(qp, now, report);
        } else if (raised.event().kind() == AsyncEvent.Kind.QP_LAST_WQE_REACHED) {
            if (!now.lastWqePending) {
                report.broken(qp + " raises LAST_WQE_REACHED, but no such event is outstanding");
            }
            now.lastWqePending = false;
        }
    }

    private static void check(QpName qp, Due now, Report report) {
        if (now.drained > 1) {
            report.broken(qp + " raises SQ_DRAINED a second time, but has not left SQD in between");
        } else if (now.drained == 1 && !now.requested.orElse(true)) {
            report.broken(qp + " raises SQ_DRAINED, but the move to SQD did not request it");
        }
    }

    @Override
    public void whenIdle(TraceState traceState, Report report) {
        due.forEach((qp, now) -> {
            if (now.lastWqePending) {
                report.broken(qp + " in ERR never raises LAST_WQE_REACHED");
            }
        });
    }
}
