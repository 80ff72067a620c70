// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.Set;
import org.hcaactors.fabric.flow.TraceEvent;

// rule completion-subscriber-throws
/**
 * Invariant: no subscription of the product ends because its subscriber threw. Pools, endpoints and other classes built on the
 * verbs handle every event. An exception from a program's subscriber belongs to the program, and the world throws it unchanged.
 */
final class InternalSubscribersSurvive implements Invariant {
    private final ResourceLedger ledger;

    InternalSubscribersSurvive(ResourceLedger ledger) {
        this.ledger = ledger;
    }

    @Override
    public String name() {
        return "internal-subscribers-survive";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of();
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        // The exceptions are in the resource audit, not in the trace.
    }

    @Override
    public void betweenEvents(TraceState traceState, Report report) {
        tell(report);
    }

    @Override
    public void whenIdle(TraceState traceState, Report report) {
        tell(report);
    }

    @Override
    public void atEnd(Report report) {
        tell(report);
    }

    private void tell(Report report) {
        ledger.takeThrown().stream()
                .forEach(each -> report.broken(each.subscriber().getName() + " of "
                        + each.by().path() + " threw " + each.what() + ", and receives no more events"));
    }
}
