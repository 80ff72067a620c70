// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.hcaactors.adapter.flow.EventDetail;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.LeaseCache;
import org.hcaactors.adapter.rendezvous.RendezvousFetches;
import org.hcaactors.adapter.rendezvous.TaggedReceives;
import org.hcaactors.adapter.tag.FetchOrder;
import org.hcaactors.adapter.tag.TagMatch;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.MessageBuffer;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.adapter.work.ReceiveQueue;
import org.hcaactors.adapter.work.Receives;
import org.hcaactors.adapter.work.RequestAdmission;
import org.hcaactors.adapter.work.SendLedger;
import org.hcaactors.adapter.work.SharedReceiveSource;
import org.hcaactors.adapter.work.SrqReceives;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.adapter.xrc.XrcReceives;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.work.Receive;

/** Receives of a queue pair through its states: posted to it, or taken one by one from a shared receive queue. */
final class ReceiveSide {
    private final ReceiveQueue ownQueue;
    private final Optional<SharedReceiveSource> sharedSource;
    private final RequestAdmission admission;
    private final MessageBuffer buffer;
    private final Optional<RendezvousFetches> fetches;

    /** The queue pair is in ERR with shared receives, and LAST_WQE_REACHED is still to be raised. */
    private boolean lastWqePending;

    /** Number of answers received from a tag-matching queue. */
    private int srqAnswers;

    /**
     * @param requests send queue for the adapter's own requests
     * @param runs whether READs can be sent now
     * @param guard wraps the receives that messages see
     */
    ReceiveSide(
            QpPlan plan,
            LocalMemory memory,
            LeaseCache leases,
            SendLedger requests,
            BooleanSupplier runs,
            UnaryOperator<Receives> guard) {
        ownQueue = new ReceiveQueue(memory, plan.capacity().maxRecvWr());
        Receives receives;
        Optional<RendezvousFetches> fetching = Optional.empty();
        switch (plan.receives()) {
            case QpPlan.Own none -> {
                sharedSource = Optional.empty();
                admission = memory;
                receives = ownQueue;
            }
            case QpPlan.Shared shared -> {
                LocalMemory buffers =
                        new LocalMemory(new KeyUser(shared.domain(), plan.number()), leases, plan.pageWaits());
                SrqReceives place = new SrqReceives(shared.number(), buffers);
                sharedSource = Optional.of(place);
                admission = memory;
                receives = place;
            }
            case QpPlan.Tagged tagged -> {
                LocalMemory buffers =
                        new LocalMemory(new KeyUser(tagged.domain(), plan.number()), leases, plan.pageWaits());
                TaggedReceives place;
                if (plan.type() == QpType.RC) {
                    RendezvousFetches among = new RendezvousFetches(plan, tagged.number(), buffers, requests, runs);
                    fetching = Optional.of(among);
                    place = TaggedReceives.fetching(tagged.number(), buffers, among);
                } else {
                    place = TaggedReceives.delegating(
                            tagged, buffers, plan.profile().port().maxMessageBytes());
                }
                sharedSource = Optional.of(place);
                admission = memory;
                receives = place;
            }
            case QpPlan.FetchingFor queue -> {
                fetching = Optional.of(new RendezvousFetches(plan, queue.number(), memory, requests, runs));
                sharedSource = Optional.empty();
                admission = memory;
                receives = ownQueue;
            }
            case QpPlan.Named named -> {
                XrcReceives places = new XrcReceives(plan.number(), leases, plan.pageWaits());
                sharedSource = Optional.of(places);
                admission = places;
                receives = places;
            }
        }
        fetches = fetching;
        buffer = buffer(plan, Objects.requireNonNull(guard.apply(receives), "the receives interceptor is null"));
    }

    private static MessageBuffer buffer(QpPlan plan, Receives receives) {
        boolean tagged = plan.receives() instanceof QpPlan.Tagged;
        int inlineBytes = tagged ? 0 : plan.capacity().maxInlineReceiveBytes();
        return new MessageBuffer(plan.number(), receives, inlineBytes, tagged);
    }

    RequestAdmission admission() {
        return admission;
    }

    MessageBuffer buffer() {
        return buffer;
    }

    void add(Receive receive) {
        ownQueue.add(receive);
    }

    /** Takes the answer of the tag-matching queue of that number. */
    void matched(int queue, TagMatch match) {
        srqAnswers++;
        sharedSource.ifPresent(place -> place.matched(queue, match));
    }

    // rule rendezvous-dc
    void fetch(FetchOrder order, Turn turn) {
        fetches.ifPresent(each -> each.fetch(order, turn));
    }

    /** Requests the data of rendezvous messages. */
    void startFetching(Turn turn) {
        fetches.ifPresent(each -> each.start(turn));
    }

    /** Takes the answer of the tag-matching queue of that number that it has no receive. */
    void empty(int queue) {
        srqAnswers++;
        sharedSource.ifPresent(place -> place.empty(queue));
    }

    int srqAnswers() {
        return srqAnswers;
    }

    // rule xrc-queue-fails
    /** True if requests name the failed queue: each of them is refused when it arrives. */
    boolean sharedFailed(int queue) {
        return sharedSource.isPresent() && sharedSource.get().failed(queue);
    }

    // rule xrc-queue-gone
    /** The shared receive queue of that number is destroyed: nothing of it remains here. */
    void srqDestroyed(int queue) {
        sharedSource.ifPresent(places -> places.srqDestroyed(queue));
    }

    void endTurn() {
        sharedSource.ifPresent(SharedReceiveSource::endTurn);
    }

    /** True if a match of its tag-matching queue may still be on its way here. */
    boolean isAwaiting() {
        return sharedSource.isPresent() && sharedSource.get().isAwaiting();
    }

    /** Completes every receive here with WR_FLUSH_ERR. */
    void flush(Turn turn) {
        sharedSource.filter(SharedReceiveSource::returnsUnused).ifPresent(place -> place.clear(turn));
        buffer.flush(turn);
        fetches.ifPresent(each -> each.cancel(turn));
    }

    /** Removes every receive here without completion; a receive of a shared receive queue is put back. */
    void reset(Turn turn) {
        ownQueue.clear();
        // Each is put at the head of the shared receive queue, so the older one is put back last.
        sharedSource.ifPresent(place -> place.clear(turn));
        buffer.reset(turn);
        fetches.ifPresent(each -> each.cancel(turn));
        lastWqePending = false;
    }

    /** The queue pair is destroyed: a match on its way here stays in the tag-matching queue. */
    void leave(Turn turn) {
        sharedSource.ifPresent(place -> place.leave(turn));
    }

    /** The queue pair is in ERR from now on. */
    void enteredError(Turn turn) {
        lastWqePending = sharedSource.isPresent();
        reportLastWqe(turn);
    }

    /** Raises LAST_WQE_REACHED if no receive of the shared receive queue is here or on its way any more (rule receive-last). */
    void reportLastWqe(Turn turn) {
        if (lastWqePending && !isAwaiting()) {
            lastWqePending = false;
            turn.raise(AsyncEvent.Kind.QP_LAST_WQE_REACHED, EventDetail.Plainly.TAKES_NO_MORE_RECEIVES);
        }
    }
}
