// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.List;
import org.hcaactors.fabric.flow.TraceEvent;

/** A provider in place of the protocol's invariants, which are in another module. */
public final class SampleInvariants implements InvariantProvider {
    /** An invariant that always holds. */
    private record Holds(String name) implements Invariant {
        @Override
        public void on(TraceEvent event, TraceState traceState, Report report) {
            // Never violated.
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
