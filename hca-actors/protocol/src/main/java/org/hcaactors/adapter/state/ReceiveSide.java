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

/** The receives of a queue pair through its states: posted to it, or taken one by one from a shared receive queue. */
final class ReceiveSide {
    private final ReceiveQueue own;
    private final Optional<SharedReceiveSource> asked;
    private final RequestAdmission admission;
    private final MessageBuffer buffer;
    private final Optional<RendezvousFetches> fetches;

    /** In ERR, with shared receives, and LAST_WQE_REACHED is still to be raised. */
    private boolean owesLastWqe;

    /** Answers of shared receive queues. */
    private int heard;

    /**
     * @param requests on which the adapter asks, where it asks by itself
     * @param runs READs can be sent now
     * @param guard what messages see of the receives
     */
    ReceiveSide(
            QpPlan plan,
            LocalMemory memory,
            LeaseCache leases,
            SendLedger requests,
            BooleanSupplier runs,
            UnaryOperator<Receives> guard) {
        own = new ReceiveQueue(memory, plan.capacity().maxRecvWr());
        Receives receives;
        Optional<RendezvousFetches> fetching = Optional.empty();
        switch (plan.receives()) {
            case QpPlan.Own none -> {
                asked = Optional.empty();
                admission = memory;
                receives = own;
            }
            case QpPlan.Shared shared -> {
                LocalMemory buffers =
                        new LocalMemory(new KeyUser(shared.domain(), plan.number()), leases, plan.pageWaits());
                SrqReceives place = new SrqReceives(shared.number(), buffers);
                asked = Optional.of(place);
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
                asked = Optional.of(place);
                admission = memory;
                receives = place;
            }
            case QpPlan.FetchingFor queue -> {
                fetching = Optional.of(new RendezvousFetches(plan, queue.number(), memory, requests, runs));
                asked = Optional.empty();
                admission = memory;
                receives = own;
            }
            case QpPlan.Named named -> {
                XrcReceives places = new XrcReceives(plan.number(), leases, plan.pageWaits());
                asked = Optional.of(places);
                admission = places;
                receives = places;
            }
        }
        fetches = fetching;
        buffer = buffer(
                plan, Objects.requireNonNull(guard.apply(receives), "what stands before the receives is nothing"));
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
        own.add(receive);
    }

    /** The answer of the shared receive queue of that number. */
    void taken(int queue, Receive receive) {
        heard++;
        asked.ifPresent(place -> place.taken(queue, receive));
    }

    /** The answer of the tag-matching queue of that number. */
    void matched(int queue, TagMatch match) {
        heard++;
        asked.ifPresent(place -> place.matched(queue, match));
    }

    // rule rendezvous-dc
    void fetch(FetchOrder order, Turn turn) {
        fetches.ifPresent(each -> each.fetch(order, turn));
    }

    /** The adapter asks for what messages left with their senders. */
    void startFetching(Turn turn) {
        fetches.ifPresent(each -> each.start(turn));
    }

    /** The shared receive queue of that number has nothing to take. */
    void empty(int queue) {
        heard++;
        asked.ifPresent(place -> place.empty(queue));
    }

    int heard() {
        return heard;
    }

    // rule xrc-queue-fails
    /** True if what fails is one of those that requests name: each of these is told when it comes. */
    boolean sharedFailed(int queue) {
        return asked.isPresent() && asked.get().failed(queue);
    }

    // rule xrc-queue-gone
    /** The shared receive queue of that number goes: nothing of it is here any more. */
    void sharedGone(int queue) {
        asked.ifPresent(places -> places.forget(queue));
    }

    void endTurn() {
        asked.ifPresent(SharedReceiveSource::endTurn);
    }

    /** A buffer of its shared receive queue may still be on its way here. */
    boolean isAwaiting() {
        return asked.isPresent() && asked.get().isAwaiting();
    }

    /** Every buffer here completes with WR_FLUSH_ERR. */
    void flush(Turn turn) {
        asked.filter(SharedReceiveSource::returnsUnused).ifPresent(place -> place.clear(turn));
        buffer.flush(turn);
        fetches.ifPresent(each -> each.cancel(turn));
    }

    /** Every buffer here disappears without completion; one of a shared queue goes back to it. */
    void reset(Turn turn) {
        own.clear();
        // Each goes to the head of the shared queue: the older one last.
        asked.ifPresent(place -> place.clear(turn));
        buffer.reset(turn);
        fetches.ifPresent(each -> each.cancel(turn));
        owesLastWqe = false;
    }

    /** The queue pair goes: what is on its way here from a shared queue stays there. */
    void leave(Turn turn) {
        asked.ifPresent(place -> place.leave(turn));
    }

    /** The queue pair is in ERR from now on. */
    void enteredError(Turn turn) {
        owesLastWqe = asked.isPresent();
        reportLastWqe(turn);
    }

    /** With a shared receive queue: no buffer of it is here any more, nor on its way (rule receive-last). */
    void reportLastWqe(Turn turn) {
        if (owesLastWqe && !isAwaiting()) {
            owesLastWqe = false;
            turn.raise(AsyncEvent.Kind.QP_LAST_WQE_REACHED, EventDetail.Plainly.TAKES_NO_MORE_RECEIVES);
        }
    }
}
