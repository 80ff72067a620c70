// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.hcaactors.adapter.audit.Audited;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.audit.VerbOwner;
import org.hcaactors.api.queue.QpState;

/** Resource audit of a network with one adapter with queue pair 17, filled by hand. */
public final class TestResourceAudit {
    public static final ResourceSnapshot.Pending WAITS_FOR_NOTHING =
            new ResourceSnapshot.Pending(Long.MAX_VALUE, false, 0, 0, List.of(), false);
    /** State of a queue pair without a local ACK timeout. */
    public static final ResourceSnapshot.Pending MAY_WAIT_FOR_EVER =
            new ResourceSnapshot.Pending(Long.MAX_VALUE, false, 0, 0, List.of(), true);

    private static final ResourceSnapshot.Queues QUEUES = new ResourceSnapshot.Queues(1, 1);
    private static final int ALL_CREDITS = 256;

    public final ResourceLedger ledger = new ResourceLedger();

    public static ResourceSnapshot.QueuePair queuePair(QpState state, int waiting, int started) {
        return queuePair(state, waiting, started, WAITS_FOR_NOTHING, List.of());
    }

    public static ResourceSnapshot.QueuePair queuePair(
            QpState state, int waiting, int started, ResourceSnapshot.Pending standing, List<Integer> leases) {
        return new ResourceSnapshot.QueuePair(
                HandMadeTrace.PORT,
                HandMadeTrace.QP,
                state,
                waiting,
                started,
                ALL_CREDITS,
                new ResourceSnapshot.Slots(waiting + started, 0),
                standing,
                QUEUES,
                leases);
    }

    public Audited open(ResourceSnapshot snapshot) {
        Audited account = () -> snapshot;
        ledger.opened(account);
        return account;
    }

    /** Registers the stage of a verb of the queue pair. */
    public CompletableFuture<Void> promise(Object verb) {
        CompletableFuture<Void> stage = new CompletableFuture<>();
        ledger.pending(new ActorOfTheQueuePair(), verb, stage);
        return stage;
    }

    private static final class ActorOfTheQueuePair implements VerbOwner {
        @Override
        public String path() {
            return "/system/hca-network/" + HandMadeTrace.PORT + "/qp-" + HandMadeTrace.QP;
        }

        @Override
        public boolean isClosed() {
            return false;
        }
    }
}
