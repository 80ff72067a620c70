// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import org.hcaactors.adapter.books.Statement;
import org.hcaactors.adapter.lease.LeaseCache;
import org.hcaactors.adapter.work.Initiator;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.SendQueue;
import org.hcaactors.adapter.work.Target;
import org.hcaactors.api.queue.QpSnapshot;
import org.hcaactors.api.queue.QpState;

/** What a queue pair says of itself when asked. */
record SelfReport(
        QpPlan plan,
        QpSettings settings,
        SendQueue ledger,
        LeaseCache leases,
        ReceiveSide receives,
        Initiator initiator,
        Target target) {
    QpSnapshot snapshot(QpState state, boolean draining) {
        return QpSnapshot.in(state)
                .withSqDraining(draining)
                .withSendPsn(initiator.nextPsn())
                .withReceivePsn(target.expectedPsn())
                .withMaxRdAtomic(settings.maxRdAtomic)
                .withMaxDestRdAtomic(settings.maxDestRdAtomic);
    }

    Statement.QueuePair statement(
            String adapter, QpState state, int behind, int credits, Statement.Slots slots, Statement.Queues queues) {
        Statement.Standing standing = new Statement.Standing(
                initiator.nextDeadline(),
                initiator.isBackingOff(),
                initiator.packetsHeld() + target.packetsHeld(),
                target.answersOwed(),
                leases.asked(),
                receives.isAwaiting(),
                initiator.waitsForEver());
        return new Statement.QueuePair(
                adapter,
                plan.number(),
                state,
                behind + ledger.waiting(),
                ledger.started(),
                credits,
                slots,
                standing,
                queues,
                leases.keys());
    }
}
