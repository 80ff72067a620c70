// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import java.util.Optional;
import java.util.function.UnaryOperator;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.DependencyFailure;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.StateReason;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.lease.LeaseCache;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.rendezvous.RendezvousFetches;
import org.hcaactors.adapter.tag.FetchOrder;
import org.hcaactors.adapter.work.Headers;
import org.hcaactors.adapter.work.Initiator;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.PacketBatch;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.QueuePairSides;
import org.hcaactors.adapter.work.ReceiveParts;
import org.hcaactors.adapter.work.Receives;
import org.hcaactors.adapter.work.SendLedger;
import org.hcaactors.adapter.work.SendQueue;
import org.hcaactors.adapter.work.SideStatus;
import org.hcaactors.adapter.work.Target;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpSnapshot;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.mutation.MutationPoint;

/**
 * State machine of a queue pair: its state, its queues, its leases, and the transport between them. Its inputs come with a
 * turn, and its effects go through that turn; it knows no actor, clock or thread.
 */
public final class QueuePairMachine {
    private final QpPlan plan;

    @MutationPoint("queue-pair-machine.settings")
    private final QpSettings settings;

    private final LeaseCache leases = new LeaseCache();
    private final SendQueue ledger;
    private final ReceiveSide receives;
    private final QueuePairSides halves;
    private final Initiator initiator;
    private final Target target;
    private QpState state = QpState.RESET;
    private final OneShotEvents oneShotEvents;
    private final boolean runs;

    /** @param guard wraps the receives that messages see */
    public QueuePairMachine(QpPlan plan, UnaryOperator<Receives> guard) {
        this(plan, guard, true);
    }

    /** @param runs use the fast path for packets that need no decision; the general path has the same effects */
    QueuePairMachine(QpPlan plan, UnaryOperator<Receives> guard, boolean runs) {
        this.plan = plan;
        this.runs = runs;
        settings = new QpSettings(plan.number(), plan.domain(), plan.options().signalAll());
        oneShotEvents = new OneShotEvents(settings);
        SendLedger own = new SendLedger(settings, RendezvousFetches.places(plan));
        LocalMemory memory = new LocalMemory(plan.user(), leases, plan.pageWaits());
        ReceiveParts parts =
                new ReceiveParts(plan, memory, leases, own, () -> state == QpState.RTS && settings.maxRdAtomic > 0);
        receives = new ReceiveSide(parts, guard);
        halves = plan.kind()
                .sides(new QpParts(plan, settings, own, memory, receives.admission(), receives.buffer(), runs));
        ledger = halves.queue().orElse(own);
        initiator = halves.initiator();
        target = halves.target();
    }

    public QpState state() {
        return state;
    }

    public QpSnapshot snapshot() {
        return report().snapshot(isDraining());
    }

    public QueuePairSnapshots report() {
        return new QueuePairSnapshots(plan, settings, ledger, leases, receives, initiator, target, state);
    }

    /** Returns the time of the next {@link #timeout}; Long.MAX_VALUE for never. */
    public long nextDeadline() {
        return initiator.nextDeadline();
    }

    /** Posts a request; returns false in RESET, where it is dropped and uses no slot. */
    public boolean postSend(PostedRequest posted, Turn turn) {
        if (state == QpState.RESET) {
            turn.droppedSend(posted);
            return false;
        }
        ledger.add(posted);
        if (state == QpState.ERR || state == QpState.SQE) {
            ledger.flush(turn);
        }
        return true;
    }

    /** Posts a receive; returns false in RESET, where it is dropped and uses no slot. */
    public boolean postReceive(Receive receive, Turn turn) {
        if (state == QpState.RESET) {
            return false;
        }
        receives.add(receive);
        if (state == QpState.ERR) {
            receives.flush(turn);
        }
        return true;
    }

    // rule rendezvous-dc
    /** Fetches a rendezvous message's data, caused by that event; call it only for a tag-matching queue's initiator. */
    public void fetch(FetchOrder order, long cause, Turn turn) {
        turn.handles(cause);
        receives.fetch(order, turn);
        if (state != QpState.RTS && state != QpState.SQD) {
            receives.flush(turn);
        }
    }

    /** Modifies the queue pair; VerbsException (EINVAL), and no change, if the call is not allowed (rule qp-modify-whole). */
    @MutationPoint("queue-pair-machine.modify")
    public void modify(QpModify change, Turn turn) {
        halves.states().check(state, change.target(), change.attributes(), plan.profile(), plan.port());
        if (isDraining() && change.target() != QpState.ERR && change.target() != QpState.RESET) {
            throw VerbsException.invalid("the send queue is still draining; only RESET and ERR are allowed");
        }
        apply(change, turn);
    }

    // rule dc-responder
    /**
     * Modifies the queue pair without checks: the target has checked the attributes of its responders, and a port that changed
     * since then loses packets.
     */
    @MutationPoint("queue-pair-machine.apply")
    public void apply(QpModify change, Turn turn) {
        QpState from = state;
        // Each drain sets whether it is reported.
        settings.notifyWhenDrained = false;
        settings.apply(change.attributes());
        Headers.toPeer(change.attributes(), settings, plan, halves.transport()).ifPresent(halves::connect);
        switch (change.target()) {
            case RESET -> reset(turn);
            case INIT, SQE -> enter(change.target(), StateReason.MODIFIED, turn);
            case RTR -> {
                target.start();
                enter(QpState.RTR, StateReason.MODIFIED, turn);
            }
            case RTS -> {
                if (from == QpState.RTR) {
                    initiator.start();
                } else {
                    initiator.recover();
                }
                enter(QpState.RTS, StateReason.MODIFIED, turn);
            }
            case SQD -> {
                if (from == QpState.SQD) {
                    initiator.modified();
                }
                oneShotEvents.drainBegins();
                enter(QpState.SQD, StateReason.MODIFIED, turn);
            }
            case ERR -> enterError(StateReason.MODIFIED_TO_ERR, turn);
        }
        reportDrained(turn);
    }

    // rule event-comm-est
    /** Handles packets that arrived, oldest first, with the events of their arrival; no events if nothing is traced. */
    public void receive(Packet[] packets, long[] events, Turn turn) {
        PacketBatch batch = new PacketBatch(packets, events);
        while (!batch.isConsumed()) {
            if (receive(batch.take(turn), turn)
                    && runs
                    && state != QpState.ERR
                    && RequestBatch.follows(batch, target, turn)) {
                settle(turn);
            }
        }
    }

    /** Handles one packet, whose event the turn handles already. Returns false if the filter dropped it. */
    public boolean receive(Packet packet, Turn turn) {
        if (PacketFilter.drops(packet, state, halves, settings, plan.port(), turn)) {
            return false;
        }
        if (state == QpState.RTR && target.isConnected()) {
            oneShotEvents.firstPacket(turn);
        }
        halves.receive(packet, turn);
        settle(turn);
        return true;
    }

    /** Sends pending packets, responses first. Returns their number, at most {@code budget}. */
    public int transmit(int budget, Turn turn) {
        if (state == QpState.ERR || state == QpState.RESET) {
            return 0;
        }
        int sent = target.transmit(budget, turn);
        if (state == QpState.RTS || state == QpState.SQD) {
            receives.startFetching(turn);
            sent += initiator.transmit(budget - sent, state == QpState.RTS, turn);
        }
        settle(turn);
        return sent;
    }

    /**
     * Returns the halves, for operations of only some kinds of queue pairs; the next {@link #transmit} reports what they cause.
     */
    public QueuePairSides halves() {
        return halves;
    }

    public void timeout(Turn turn) {
        initiator.timeout(turn);
        settle(turn);
    }

    public void leaseGranted(Lease lease, Turn turn) {
        leases.granted(lease).ifPresent(turn::releaseLease);
        if (state == QpState.RESET || state == QpState.ERR) {
            leases.revoke(lease.grant()).ifPresent(turn::releaseLease);
        } else {
            resume(turn);
        }
    }

    public void leaseRefused(int key, Denial reason, Turn turn) {
        leases.refused(key, reason);
        resume(turn);
    }

    /** Releases the lease at once, even if a request waits for it. */
    public void leaseRevoked(long grant, Turn turn) {
        leases.revoke(grant).ifPresent(turn::releaseLease);
    }

    /** A key change for a request was made or refused. */
    public void keyChanged(long ticket, Optional<Denial> refusal, Turn turn) {
        initiator.keyChanged(ticket, refusal, turn);
        settle(turn);
    }

    /** A key invalidation for a peer's message was made or refused. */
    public void invalidated(long ticket, Optional<Denial> refusal, Turn turn) {
        target.invalidated(ticket, refusal, turn);
        settle(turn);
    }

    /** Pages that were absent are present or not available. */
    public void pagesServed(PageFault.Kind kind, long ticket, Optional<Denial> refusal, Turn turn) {
        halves.pagesServed(kind, ticket, refusal, turn);
        settle(turn);
    }

    /** Ends the turn: forgets refusals, so that a later access asks again. */
    public void endTurn() {
        leases.endTurn();
    }

    /** Fails the queue pair since its completion queue is in error or its actor crashed: it moves to ERR and raises QP_FATAL. */
    public void fail(DependencyFailure reason, Turn turn) {
        if (state != QpState.RESET && state != QpState.ERR) {
            enterError(reason, turn);
        }
        turn.raise(AsyncEvent.Kind.QP_FATAL, reason);
    }

    /** The shared receive queue delivers no more receives. */
    public void sharedReceivesFailed(int queue, Turn turn) {
        if (receives.sharedFailed(queue)) {
            resume(turn);
        } else {
            fail(DependencyFailure.SHARED_RECEIVES, turn);
        }
    }

    /** The shared receive queue of that number is destroyed, with the receives taken from it. */
    public void srqDestroyed(int queue, Turn turn) {
        receives.srqDestroyed(queue);
        resume(turn);
    }

    /** Completes everything outstanding with WR_FLUSH_ERR. */
    public void flush(Turn turn) {
        if (state != QpState.RESET && state != QpState.ERR) {
            enterError(StateReason.CLOSED, turn);
        }
    }

    private void resume(Turn turn) {
        target.resume(turn);
        initiator.resume(turn);
        settle(turn);
    }

    // rule qp-drain
    private boolean isDraining() {
        return state == QpState.SQD && initiator.isBusy();
    }

    private void settle(Turn turn) {
        if (state != QpState.ERR && state != QpState.SQE && initiator.settle(turn) == SideStatus.FAILED) {
            requestFailed(turn);
        } else if (state != QpState.ERR && target.settle(turn) == SideStatus.FAILED) {
            enterError(target.whyFailed(), turn);
        }
        reportDrained(turn);
    }

    // rule qp-sqe
    private void requestFailed(Turn turn) {
        if (initiator.afterFailure() == QpState.ERR) {
            enterError(StateReason.A_REQUEST_FAILED, turn);
        } else {
            enter(initiator.afterFailure(), StateReason.A_REQUEST_FAILED, turn);
            ledger.flush(turn);
        }
    }

    // rule qp-drain
    private void reportDrained(Turn turn) {
        if (state == QpState.SQD && !isDraining()) {
            oneShotEvents.drained(turn);
        }
    }

    private void enter(QpState to, Reason reason, Turn turn) {
        turn.stateChanged(state, to, reason);
        state = to;
    }

    // rule qp-flush
    private void enterError(Reason reason, Turn turn) {
        turn.settleLoans();
        QpState from = state;
        state = QpState.ERR;
        target.failReceive(turn);
        turn.stateChanged(from, QpState.ERR, reason);
        ledger.flush(turn);
        receives.flush(turn);
        quiesce(turn);
        if (from != QpState.ERR) {
            receives.enteredError(turn);
        }
    }

    // rule qp-reset
    /** Resets the queue pair: everything it holds is put back, and requests are dropped without completions. */
    public void reset(Turn turn) {
        // A program uses a buffer again as soon as it knows that its request is dropped.
        turn.settleLoans();
        QpState from = state;
        state = QpState.RESET;
        ledger.reset(turn);
        receives.reset(turn);
        quiesce(turn);
        oneShotEvents.reset();
        settings.reset();
        turn.stateChanged(from, QpState.RESET, StateReason.MODIFIED);
    }

    private void quiesce(Turn turn) {
        initiator.quiesce();
        target.quiesce();
        leases.releaseAll().forEach(turn::releaseLease);
    }
}
