// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.List;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.InvariantProvider;
import org.hcaactors.lab.invariant.ResourceLedger;
import org.hcaactors.lab.invariant.ShadowMemory;

/** Invariants of the adapters' protocol. They watch every world that this module's tests and the project's commands create. */
public final class ProtocolInvariants implements InvariantProvider {
    @Override
    public List<Invariant> inTheTrace(ResourceLedger ledger, ShadowMemory guards) {
        return List.of(
                new CompletesOnce(),
                new MatchesTags(ledger),
                new EndsBehindAnError(),
                new DeliversOnce(),
                new MemoryRights(),
                new WritesWhatArrived(),
                new WritesInRange(),
                new CopiesAtPoll(),
                new PagesAreThere(),
                new PagesAreAwaited(),
                new Protection(),
                new ReachesWhatIsNamed(ledger),
                new Sessions(),
                new SequenceNumbers(),
                new RnrWait(),
                new GoesBackOnce(),
                new SpendsItsRetries(),
                new StartsInTurn(),
                new TellsEveryGap(),
                new ReadResponses(),
                new RefusalsTold(),
                new EventsDue(),
                new CountsPages(ledger),
                new SourceAddress(),
                new WakesWhenArmed(ledger),
                new WakesItsWaiter(),
                new NumbersRest(),
                new StartsAnew(),
                new CrashesOnPurpose(),
                new AtomicsLinearizable(guards));
    }

    @Override
    public List<Invariant> atRest(ResourceLedger ledger) {
        return List.of(new NeverStandsStill(ledger), new KeepsItsBounds(ledger));
    }
}
