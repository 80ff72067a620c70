// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.List;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.InvariantProvider;
import org.hcaactors.lab.invariant.ResourceLedger;
import org.hcaactors.lab.invariant.ShadowMemory;

/** That adapters keep their protocol: the invariants of every world that this module's tests, and the commands of the project, make. */
public final class ProtocolInvariants implements InvariantProvider {
    @Override
    public List<Invariant> inTheTrace(ResourceLedger ledger, ShadowMemory guards) {
        return List.of(
                new CompletesOnce(),
                new MatchesTags(ledger),
                new FlushAfterError(),
                new DeliversOnce(),
                new MemoryRights(),
                new PayloadWrittenIntact(),
                new WritesInRange(),
                new InlineCopies(),
                new PagesPresent(),
                new PageFaultsResolved(),
                new Protection(),
                new XrcSrqRouting(ledger),
                new DcSessions(),
                new SequenceNumbers(),
                new RnrWait(),
                new RetransmitsOncePerGap(),
                new RetryLimits(),
                new FenceAndDrainOrder(),
                new EveryGapGetsNak(),
                new ReadResponses(),
                new AccessErrorsRaised(),
                new DrainEvents(),
                new PageCounters(ledger),
                new SourceAddress(),
                new ArmedCqReportsOnce(ledger),
                new AsNotifyWakesThread(),
                new NumbersNotReused(),
                new RestartInvalidatesObjects(),
                new NoUnexpectedCrash(),
                new AtomicsLinearizable(guards));
    }

    @Override
    public List<Invariant> atRest(ResourceLedger ledger) {
        return List.of(new NoStalledQueuePair(ledger), new QueueBounds(ledger));
    }
}
