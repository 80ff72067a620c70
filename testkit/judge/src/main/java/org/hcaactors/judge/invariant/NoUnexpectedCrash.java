// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.LinkedHashSet;
import java.util.Set;
import org.hcaactors.adapter.flow.DependencyFailure;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.TraceState;
import org.hcaactors.views.flow.TestkitEvent;

/**
 * While forged packets arrive, no actor of an adapter throws unless the test crashed it. Runs without forged packets are not
 * checked, since a program may make actors throw by other means.
 */
final class NoUnexpectedCrash implements Invariant {
    private record CrashedElement(String port, String element) {}

    private final Set<CrashedElement> injected = new LinkedHashSet<>();
    private boolean forged;

    @Override
    public String name() {
        return "no-unexpected-crash";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(TestkitEvent.class, FabricEvent.Forged.class, HcaEvent.Raised.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case FabricEvent.Forged packet -> forged = true;
            case TestkitEvent bench -> injected.add(new CrashedElement(bench.port(), bench.element()));
            case HcaEvent.Raised raised
            when forged
                    && raised.reason() == DependencyFailure.ITS_ACTOR
                    && !injected.contains(
                            new CrashedElement(raised.port(), raised.element().toString())) ->
                report.broken(raised.port() + "/" + raised.element() + " crashed, but no injected fault caused it");
            default -> {}
        }
    }
}
