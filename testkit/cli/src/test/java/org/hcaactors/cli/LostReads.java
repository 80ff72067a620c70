// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.util.List;
import java.util.Set;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.InvariantProvider;
import org.hcaactors.lab.invariant.ResourceLedger;
import org.hcaactors.lab.invariant.ShadowMemory;
import org.hcaactors.lab.invariant.TraceState;

/** An invariant that some seeds break: no READ request may be lost. */
public final class LostReads implements InvariantProvider {
    @Override
    public List<Invariant> inTheTrace(ResourceLedger ledger, ShadowMemory guards) {
        return List.of(new NoReadIsLost());
    }

    @Override
    public List<Invariant> atRest(ResourceLedger ledger) {
        return List.of();
    }

    private static final class NoReadIsLost implements Invariant {
        @Override
        public String name() {
            return "no-read-is-lost";
        }

        @Override
        public Set<Class<? extends TraceEvent>> kinds() {
            return Set.of(FabricEvent.Dropped.class);
        }

        @Override
        public void on(TraceEvent event, TraceState traceState, Report report) {
            if (event instanceof FabricEvent.Dropped dropped
                    && dropped.packet().operation().family() == Operation.Family.READ) {
                report.broken("a READ request was lost: " + dropped.packet());
            }
        }
    }
}
