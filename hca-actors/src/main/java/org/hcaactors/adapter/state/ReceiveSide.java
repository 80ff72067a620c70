// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.hcaactors.adapter.flow.Notice;
import org.hcaactors.adapter.lease.LeaseCache;
import org.hcaactors.adapter.lease.User;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.MessageBuffer;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.adapter.work.ReceiveQueue;
import org.hcaactors.adapter.work.Receives;
import org.hcaactors.adapter.work.SrqPlace;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.work.Receive;

/** The receives of a queue pair through its states: posted to it, or taken one by one from a shared receive queue. */
final class ReceiveSide {
    private final ReceiveQueue own;
    private final Optional<SrqPlace> shared;
    private final MessageBuffer buffer;

    /** In ERR, with a shared receive queue, and LAST_WQE_REACHED is still to be raised. */
    private boolean owesLastWqe;

    /** @param guard what messages see of the receives */
    ReceiveSide(QpPlan plan, LocalMemory memory, LeaseCache leases, UnaryOperator<Receives> guard) {
        own = new ReceiveQueue(memory, plan.capacity().maxRecvWr());
        shared = plan.receives().shared()
                ? Optional.of(new SrqPlace(
                        new LocalMemory(new User(plan.receives().domain(), plan.number()), leases, plan.pageWaits())))
                : Optional.empty();
        Receives receives = shared.isPresent() ? shared.get() : own;
        buffer = new MessageBuffer(
                plan.number(),
                Objects.requireNonNull(guard.apply(receives), "what stands before the receives is nothing"),
                plan.capacity().maxInlineReceiveBytes());
    }

    MessageBuffer buffer() {
        return buffer;
    }

    void add(Receive receive) {
        own.add(receive);
    }

    /** The shared receive queue's answer. */
    void taken(Receive receive) {
        shared.ifPresent(place -> place.taken(receive));
    }

    /** The shared receive queue has nothing to take. */
    void noneToTake() {
        shared.ifPresent(SrqPlace::noneToTake);
    }

    void endTurn() {
        shared.ifPresent(SrqPlace::endTurn);
    }

    /** A buffer of its shared receive queue may still be on its way here. */
    boolean isAwaiting() {
        return shared.isPresent() && shared.get().isAwaiting();
    }

    /** Every buffer here completes with WR_FLUSH_ERR. */
    void flush(Turn turn) {
        buffer.flush(turn);
    }

    /** Every buffer here disappears without completion; one of a shared queue goes back to it. */
    void reset(Turn turn) {
        own.clear();
        // Each goes to the head of the shared queue: the older one last.
        shared.ifPresent(place -> place.clear(turn));
        buffer.reset(turn);
        owesLastWqe = false;
    }

    /** The queue pair is in ERR from now on. */
    void enteredError(Turn turn) {
        owesLastWqe = shared.isPresent();
        reportLastWqe(turn);
    }

    /** With a shared receive queue: no buffer of it is here any more, nor on its way (rule receive-last). */
    void reportLastWqe(Turn turn) {
        if (owesLastWqe && !isAwaiting()) {
            owesLastWqe = false;
            turn.raise(AsyncEvent.Kind.QP_LAST_WQE_REACHED, Notice.Plainly.TAKES_NO_MORE_RECEIVES);
        }
    }
}
