// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.Arrays;
import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.completion.SlotOwner;
import org.hcaactors.adapter.completion.WorkQueueFeed;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.adapter.inline.ProcessInlineCopier;
import org.hcaactors.adapter.key.ChangeListener;
import org.hcaactors.adapter.key.LeaseRequest;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.QpEffects;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.adapter.work.QueuePairKind;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.KeyWork;
import org.hcaactors.fabric.actor.FabricReference;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.link.Switchboard;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Effects of a queue pair's machines in one turn, collected and executed in batches: packets as one batch, completions as one
 * array for each completion queue.
 */
final class TurnEffects implements QpEffects {
    private static final Packet[] NO_PACKETS = {};
    private static final int FIRST_BATCH = 8;

    private final QueuePairKind kind;
    private final KeyUser user;
    private final WorkSlots slots;
    private final QueuePairReference self;
    private final Endpoint endpoint;
    private final QueuePairLinks links;
    private final Services services;
    private final AdapterTrace trace;

    /** True if this turn is traced. */
    private boolean traced;

    private Packet[] batch = NO_PACKETS;
    private long[] causes = QueuePairInput.UNTRACED;
    private long[] otherCauses = QueuePairInput.UNTRACED;

    /** Each is created by its queue's first completion after a reset. */
    private @Nullable CompletionBatcher sent;

    private @Nullable CompletionBatcher received;
    private int batchLength;
    private boolean keepsCompletions;

    private final ReceiveAttachment receives;

    TurnEffects(
            QpPlan plan,
            WorkSlots slots,
            QueuePairReference self,
            Endpoint endpoint,
            QueuePairLinks links,
            ReceiveAttachment receives,
            Services services) {
        kind = plan.kind();
        user = plan.user();
        this.slots = slots;
        this.self = self;
        this.endpoint = endpoint;
        this.links = links;
        this.services = services;
        this.trace = services.trace();
        this.receives = receives;
    }

    /** Called when the queue pair is closed in order: its entries stay in their completion queues when it is destroyed. */
    void keepCompletions() {
        keepsCompletions = true;
    }

    /** Sends the packets of this turn; returns the credits used. */
    int dispatchBatch() {
        if (batchLength == 0) {
            return 0;
        }
        Packet[] packets = Arrays.copyOf(batch, batchLength);
        long[] reason = traced ? Arrays.copyOf(causes, batchLength) : QueuePairInput.UNTRACED;
        long[] again = traced ? Arrays.copyOf(otherCauses, batchLength) : QueuePairInput.UNTRACED;
        discardBatch();
        FabricReference fabric = services.fabric();
        return traced ? fabric.send(endpoint, packets, reason, again) : fabric.send(endpoint, packets);
    }

    /** Called after a turn failed with an exception: its packets are not sent. */
    void discardBatch() {
        Arrays.fill(batch, 0, batchLength, null);
        batchLength = 0;
    }

    /** Writes the completions of this turn to their queues. */
    void dispatchCompletions() {
        if (sent != null) {
            sent.dispatch();
        }
        if (received != null) {
            received.dispatch();
        }
        receives.dispatchCompletions();
    }

    /** Called with no packets left from the previous turn. */
    @Override
    public void begins() {
        traced = trace.enabled();
    }

    @Override
    public void send(Packet packet, long reason, long again) {
        if (batchLength == batch.length) {
            int longer = Math.min(Switchboard.MAX_BATCH, Math.max(FIRST_BATCH, 2 * batchLength));
            batch = Arrays.copyOf(batch, longer);
        }
        if (traced) {
            if (causes.length < batch.length) {
                causes = Arrays.copyOf(causes, batch.length);
                otherCauses = Arrays.copyOf(otherCauses, batch.length);
            }
            causes[batchLength] = reason;
            otherCauses[batchLength] = again;
        }
        batch[batchLength++] = packet;
    }

    @Override
    public void completedSend(
            WorkCompletion completion, PostedRequest posted, int slots, @Nullable InlineData inlineData) {
        if (sent == null) {
            sent = new CompletionBatcher(links.sendQueue(), workQueue(this.slots.sends()));
        }
        sent.add(completion, slots, posted.stage(), false, inlineData);
    }

    @Override
    public void completedReceive(WorkCompletion completion, boolean solicited, @Nullable InlineData inlineData) {
        if (received == null) {
            received = new CompletionBatcher(links.recvQueue(), workQueue(receives.slots(slots)));
        }
        received.add(completion, 1, null, solicited, inlineData);
    }

    private WorkQueueFeed workQueue(SlotOwner owner) {
        return slots.carriesData()
                ? WorkQueueFeed.carrying(
                        owner, new ProcessInlineCopier(links.memory(), trace, Element.queuePair(user.queuePair())))
                : new WorkQueueFeed(owner);
    }

    @Override
    public void droppedSend(PostedRequest posted) {
        Reply<WorkCompletion> stage = posted.stage();
        if (stage != null) {
            stage.fail(new VerbsException(
                    Errno.ECANCELED,
                    "request " + posted.id() + " was dropped: queue pair " + user.queuePair()
                            + " was reset or destroyed"));
        }
    }

    @Override
    public boolean mayLend() {
        return !traced && endpoint.isDirectOnShard();
    }

    @Override
    public boolean packetsAreKept() {
        return traced || endpoint.isKept();
    }

    // rule memory-depth
    @Override
    public void requestLease(int key) {
        links.keys()
                .requestLease(
                        LeaseRequest.of(key, services.profile().indirectKeys().maxDepth(), self));
    }

    @Override
    public void changeKey(PostedRequest request, long ticket) {
        if (request.work() instanceof KeyWork work) {
            ChangeListener listener = self.ofRequest(ticket).because(request.traceId());
            links.keys().change(work.key(), KeyChanges.of(work, user), listener);
        }
    }

    @Override
    public void invalidate(long cause, KeyUser by, int key, long ticket) {
        ChangeListener listener = self.ofPeer(ticket).because(cause);
        links.keys().change(key, KeyChanges.remote(key, by), listener);
    }

    @Override
    public void requestPages(PageFault fault, long ticket) {
        fault.absence().pager().serve(user.queuePair(), fault, self.ofPages(fault.kind(), ticket));
    }

    @Override
    @MutationPoint("turn-effects.release-lease")
    public void releaseLease(Lease lease) {
        lease.release();
    }

    @Override
    public void raise(long cause, AsyncEvent.Kind event, Reason reason) {
        kind.reported(event)
                .ifPresent(of -> trace.raise(cause, new AsyncEvent(of, user.queuePair()), reason, links.events()));
    }

    @Override
    public void count(Counter counter) {
        services.counters().count(counter);
    }

    @Override
    public void entered(QpState to) {
        if (to == QpState.RESET && !keepsCompletions) {
            dispatchCompletions();
            if (sent != null) {
                sent.purge();
            }
            if (received != null) {
                received.purge();
            }
            receives.reset();
        }
        slots.entered(to);
        if (to == QpState.RESET) {
            sent = null;
            received = null;
        }
    }
}
