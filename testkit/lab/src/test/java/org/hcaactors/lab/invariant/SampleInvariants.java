// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.List;
import org.hcaactors.fabric.flow.TraceEvent;

/** Stands here for invariants of the protocol, which another module has. */
public final class SampleInvariants implements InvariantProvider {
    /** Holds whatever happens. */
    private record Holds(String name) implements Invariant {
        @Override
        public void on(TraceEvent event, TraceState known, Report report) {
            // nothing breaks it
        }
    }

    @Override
    public List<Invariant> inTheTrace(ResourceLedger ledger, ShadowMemory guards) {
        return List.of(new Holds("provided-in-the-trace"));
    }

    @Override
    public List<Invariant> atRest(ResourceLedger ledger) {
        return List.of(new Holds("provided-at-rest"));
    }
}
