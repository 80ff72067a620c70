// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.hcaactors.adapter.books.Account;
import org.hcaactors.adapter.books.Owner;
import org.hcaactors.adapter.books.Statement;
import org.hcaactors.api.queue.QpState;

/** The books of a network with one adapter, on which queue pair 17 is, as it would keep them. */
public final class HandMadeBooks {
    public static final Statement.Standing WAITS_FOR_NOTHING =
            new Statement.Standing(Long.MAX_VALUE, false, 0, 0, List.of(), false, false);
    /** As one without a local ACK timeout. */
    public static final Statement.Standing MAY_WAIT_FOR_EVER =
            new Statement.Standing(Long.MAX_VALUE, false, 0, 0, List.of(), false, true);

    private static final Statement.Queues QUEUES = new Statement.Queues(1, 1);
    private static final int ALL_CREDITS = 256;

    public final Ledger ledger = new Ledger();

    public static Statement.QueuePair queuePair(QpState state, int waiting, int started) {
        return queuePair(state, waiting, started, WAITS_FOR_NOTHING, List.of());
    }

    public static Statement.QueuePair queuePair(
            QpState state, int waiting, int started, Statement.Standing standing, List<Integer> leases) {
        return new Statement.QueuePair(
                HandMadeTrace.PORT,
                HandMadeTrace.QP,
                state,
                waiting,
                started,
                ALL_CREDITS,
                new Statement.Slots(waiting + started, 0),
                standing,
                QUEUES,
                leases);
    }

    public Account open(Statement statement) {
        Account account = () -> statement;
        ledger.opened(account);
        return account;
    }

    /** The stage of a verb of the queue pair. */
    public CompletableFuture<Void> promise(Object verb) {
        CompletableFuture<Void> stage = new CompletableFuture<>();
        ledger.promised(new ActorOfTheQueuePair(), verb, stage);
        return stage;
    }

    private static final class ActorOfTheQueuePair implements Owner {
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
