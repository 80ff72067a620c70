// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.SendLedger;
import org.hcaactors.mutation.MutationPoint;

/** Run of requests at the head of a DC initiator's send queue that are for the connected target (rules dc-reuse, dc-switch). */
final class TargetRun {
    private final SendLedger ledger;
    private final TargetConnection link;

    /** Requests before this position are for the connected target; each request is checked once. */
    private long checked;

    TargetRun(SendLedger ledger, TargetConnection link) {
        this.ledger = ledger;
        this.link = link;
    }

    /** Restarts the check, because the target or the waiting requests have changed. */
    void begin() {
        checked = ledger.nextToStart();
    }

    /** True if all waiting requests are for the connected target. */
    boolean areAllForTarget() {
        checked = Math.max(checked, ledger.nextToStart());
        while (checked < ledger.tail() && isForTarget(ledger.at(checked))) {
            checked++;
        }
        return checked == ledger.tail();
    }

    /** True if the next request has been checked and is for the connected target. */
    boolean isNextForTarget() {
        return checked > ledger.nextToStart();
    }

    /** True if nothing is outstanding and the next request is for another target. */
    @MutationPoint("target-run.is-wanted-elsewhere")
    boolean mustSwitch() {
        return !ledger.hasOutstanding()
                && ledger.nextToStart() != ledger.tail()
                && !isForTarget(ledger.at(ledger.nextToStart()));
    }

    @MutationPoint("target-run.goes-on")
    private boolean isForTarget(PostedRequest posted) {
        return posted.changesKey() || posted.toTarget().isSame(link.to());
    }
}
