// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.Set;
import org.hcaactors.fabric.flow.TraceEvent;

// rule completion-subscriber-throws
/**
 * No subscription of the product's own ends because its subscriber threw: pools, endpoints and what else stands on the verbs deal with
 * whatever comes. What a program's subscribers throw is the program's: a world throws it as it is.
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
    public void on(TraceEvent event, TraceState known, Report report) {
        // It stands in the books, and in no trace.
    }

    @Override
    public void betweenEvents(TraceState known, Report report) {
        tell(report);
    }

    @Override
    public void whenIdle(TraceState known, Report report) {
        tell(report);
    }

    @Override
    public void atEnd(Report report) {
        tell(report);
    }

    private void tell(Report report) {
        ledger.takeThrown().stream()
                .forEach(each -> report.broken(each.subscriber().getName() + " of "
                        + each.by().path() + " threw " + each.what() + ", and hears nothing any more"));
    }
}
