// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.SendLedger;
import org.hcaactors.mutation.MutationPoint;

/** Which of the requests that wait go on to the target that is connected to, in a row (rules dc-reuse, dc-switch). */
final class TargetRun {
    private final SendLedger ledger;
    private final TargetConnection link;

    /** Those before this position do: each is looked at once. */
    private long looked;

    TargetRun(SendLedger ledger, TargetConnection link) {
        this.ledger = ledger;
        this.link = link;
    }

    /** Another target is connected to, or what waits has changed. */
    void begin() {
        looked = ledger.fresh();
    }

    /** All that wait do. */
    boolean allGoOn() {
        looked = Math.max(looked, ledger.fresh());
        while (looked < ledger.tail() && goesOn(ledger.at(looked))) {
            looked++;
        }
        return looked == ledger.tail();
    }

    /** The next one does, as far as was looked. */
    boolean nextGoesOn() {
        return looked > ledger.fresh();
    }

    /** Nothing is outstanding, and the next one goes elsewhere. */
    @MutationPoint("target-run.is-wanted-elsewhere")
    boolean isWantedElsewhere() {
        return !ledger.hasOutstanding() && ledger.fresh() != ledger.tail() && !goesOn(ledger.at(ledger.fresh()));
    }

    @MutationPoint("target-run.goes-on")
    private boolean goesOn(PostedRequest posted) {
        return posted.changesKey() || posted.toTarget().isSame(link.to());
    }
}
