// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import java.util.Objects;
import java.util.function.UnaryOperator;
import org.hcaactors.adapter.flow.EventDetail;
import org.hcaactors.adapter.tag.FetchOrder;
import org.hcaactors.adapter.work.MessageBuffer;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.adapter.work.QueuePairReceives;
import org.hcaactors.adapter.work.ReceiveParts;
import org.hcaactors.adapter.work.ReceiveSource;
import org.hcaactors.adapter.work.Receives;
import org.hcaactors.adapter.work.RequestAdmission;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.work.Receive;

/** Receives of a queue pair through its states, and the receive of the current message. */
final class ReceiveSide {
    private final boolean shared;
    private final QueuePairReceives receives;
    private final RequestAdmission admission;
    private final MessageBuffer buffer;

    /** @param guard wraps the receives that messages see */
    ReceiveSide(ReceiveParts parts, UnaryOperator<Receives> guard) {
        QpPlan plan = parts.plan();
        ReceiveSource source = plan.receives();
        shared = source.isShared();
        receives = source.receives(parts);
        admission = receives.admission(parts.memory());
        buffer = new MessageBuffer(
                plan.number(),
                Objects.requireNonNull(guard.apply(receives), "the receives interceptor is null"),
                source.matchesTags() ? 0 : plan.capacity().maxInlineReceiveBytes(),
                source.matchesTags());
    }

    RequestAdmission admission() {
        return admission;
    }

    MessageBuffer buffer() {
        return buffer;
    }

    void add(Receive receive) {
        receives.add(receive);
    }

    // rule rendezvous-dc
    void fetch(FetchOrder order, Turn turn) {
        receives.fetch(order, turn);
    }

    /** Requests the data of rendezvous messages. */
    void startFetching(Turn turn) {
        receives.startFetching(turn);
    }

    // rule xrc-queue-fails
    /** True if requests name the failed queue: each of them is refused when it arrives. */
    boolean sharedFailed(int queue) {
        return receives.srqFailed(queue);
    }

    // rule xrc-queue-gone
    /** The shared receive queue of that number is destroyed: nothing of it remains here. */
    void srqDestroyed(int queue) {
        receives.srqDestroyed(queue);
    }

    /** Completes every receive here with WR_FLUSH_ERR. */
    void flush(Turn turn) {
        if (receives.returnsUnused()) {
            receives.clear(turn);
        }
        buffer.flush(turn);
        receives.cancelFetching(turn);
    }

    /** Removes every receive here without completion; a receive of a shared receive queue is put back. */
    void reset(Turn turn) {
        // Each is put at the head of the shared receive queue, so the older one is put back last.
        receives.clear(turn);
        buffer.reset(turn);
        receives.cancelFetching(turn);
    }

    // rule receive-last
    /** The queue pair is in ERR from now on, and takes no receive of a shared receive queue any more. */
    void enteredError(Turn turn) {
        if (shared) {
            turn.raise(AsyncEvent.Kind.QP_LAST_WQE_REACHED, EventDetail.Plainly.TAKES_NO_MORE_RECEIVES);
        }
    }
}
