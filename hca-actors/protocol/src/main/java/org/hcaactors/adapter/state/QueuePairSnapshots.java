// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.flow.StateReason;
import org.hcaactors.adapter.lease.LeaseCache;
import org.hcaactors.adapter.work.Headers;
import org.hcaactors.adapter.work.Initiator;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.SendQueue;
import org.hcaactors.adapter.work.Target;
import org.hcaactors.api.queue.QpSnapshot;
import org.hcaactors.api.queue.QpState;

/** Snapshots of a queue pair's state, for queries and the resource audit. */
public record QueuePairSnapshots(
        QpPlan plan,
        QpSettings settings,
        SendQueue ledger,
        LeaseCache leases,
        ReceiveSide receives,
        Initiator initiator,
        Target target,
        QpState state) {
    QpSnapshot snapshot(boolean draining) {
        return QpSnapshot.of(state)
                .withSqDraining(draining)
                .withSendPsn(initiator.nextPsn())
                .withReceivePsn(target.expectedPsn())
                .withMaxRdAtomic(settings.maxRdAtomic)
                .withMaxDestRdAtomic(settings.maxDestRdAtomic)
                .withAttributes(
                        settings.attributes(initiator.peer().or(target::peer).map(Headers::vector)));
    }

    /** True in ERR if the peer has disconnected (rule dc-disconnect). */
    public boolean wasDisconnected() {
        return state == QpState.ERR && target.whyFailed() == StateReason.SESSION_ENDED;
    }

    /**
     * Returns what the queue pair holds and waits for.
     *
     * @param behind number of posted requests that have not reached the machine
     */
    public ResourceSnapshot.QueuePair snapshot(
            String adapter, int behind, int credits, ResourceSnapshot.Slots slots, ResourceSnapshot.Queues queues) {
        ResourceSnapshot.Pending pending = new ResourceSnapshot.Pending(
                initiator.nextDeadline(),
                initiator.isBackingOff(),
                initiator.packetsHeld() + target.packetsHeld(),
                target.pendingResponses(),
                leases.requested(),
                initiator.hasNoTimeout());
        return new ResourceSnapshot.QueuePair(
                adapter,
                plan.number(),
                state,
                behind + ledger.waiting(),
                ledger.started(),
                credits,
                slots,
                pending,
                queues,
                leases.keys());
    }
}
