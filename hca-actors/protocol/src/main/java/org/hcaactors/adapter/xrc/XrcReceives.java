// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.xrc;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.adapter.flow.RequestRefused;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.QueuePairReceives;
import org.hcaactors.adapter.work.ReceiveParts;
import org.hcaactors.adapter.work.RequestAdmission;
import org.hcaactors.adapter.work.SrqReceives;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Shared receive queues named by a peer's requests. Each has its own protection domain, which applies both to its buffers and
 * to the peer's remote keys (rule xrc-domain). At most {@value #CAPACITY} are known at a time; another one drops the least
 * recently named, which is looked up again when it is named again (rule xrc-queues-bounded).
 */
public final class XrcReceives implements QueuePairReceives, RequestAdmission {
    static final int CAPACITY = 64;

    /** A shared receive queue that requests have named. */
    static final class NamedSrq {
        final int number;
        final XrcReceiveSource.Joined queue;
        final SrqReceives receives;
        boolean failed;
        boolean destroyed;

        NamedSrq(XrcReceiveSource.Joined queue, SrqReceives receives) {
            number = queue.number();
            this.queue = queue;
            this.receives = receives;
        }
    }

    private final XrcReceiveSource source;
    private final ReceiveParts parts;

    /** By number, the least recently named first. */
    @MutationPoint("xrc-receives.srqs")
    private final Map<Integer, NamedSrq> srqsByNumber = new LinkedHashMap<>(4, 0.75f, true);

    /** The queue named by the request that was admitted last. */
    @MutationPoint("xrc-receives.named")
    private @Nullable NamedSrq named;

    /** The queue whose receive the current message holds. */
    @MutationPoint("xrc-receives.message-queue")
    private @Nullable NamedSrq messageQueue;

    XrcReceives(XrcReceiveSource source, ReceiveParts parts) {
        this.source = source;
        this.parts = parts;
    }

    @Override
    public RequestAdmission admission(RequestAdmission own) {
        return this;
    }

    // rules xrc-domain, xrc-one-queue, xrc-unknown, xrc-queue-fails
    @Override
    @MutationPoint("xrc-receives.refusal")
    public Optional<RequestRefused> refusal(Packet request, Turn turn) {
        int number = request.xrcEth().srqNumber();
        NamedSrq before = named;
        if (before != null && before.number != number && !request.operation().starts()) {
            return Optional.of(new RequestRefused.OtherSharedReceives(number, before.number));
        }
        NamedSrq srq = find(number);
        if (srq == null) {
            return Optional.of(new RequestRefused.NoSuchSharedReceives(number));
        }
        if (srq.failed) {
            return Optional.of(new RequestRefused.SharedReceivesFailed(number));
        }
        named = srq;
        return Optional.empty();
    }

    /** Mostly requests name the same queue as the one before. */
    private @Nullable NamedSrq find(int number) {
        NamedSrq before = named;
        if (before != null && before.number == number && !before.destroyed) {
            return before;
        }
        NamedSrq srq = srqsByNumber.get(number);
        return srq != null ? srq : source.join(number).map(this::joined).orElse(null);
    }

    private NamedSrq joined(XrcReceiveSource.Joined queue) {
        makeRoom();
        NamedSrq srq = new NamedSrq(queue, new SrqReceives(queue, parts.memoryIn(queue.domain())));
        srqsByNumber.put(queue.number(), srq);
        return srq;
    }

    private void makeRoom() {
        Iterator<NamedSrq> leastRecent = srqsByNumber.values().iterator();
        while (srqsByNumber.size() >= CAPACITY && leastRecent.hasNext()) {
            NamedSrq srq = leastRecent.next();
            if (!srq.receives.hasNext() && srq != messageQueue) {
                leastRecent.remove();
                srq.queue.leave();
            }
        }
    }

    @Override
    @MutationPoint("xrc-receives.memory")
    public LocalMemory memory() {
        return named().memory();
    }

    private SrqReceives named() {
        if (named == null) {
            throw new IllegalStateException("no request was accepted");
        }
        return named.receives;
    }

    @Override
    public Supply supply(Packet first, Turn turn) {
        return named().supply(first, turn);
    }

    // rule xrc-rnr
    @Override
    public boolean hasNext() {
        NamedSrq requested = named;
        return requested != null && requested.receives.hasNext()
                || srqsByNumber.values().stream().anyMatch(each -> each.receives.hasNext());
    }

    @Override
    public Receive next() {
        return stocked().receives.next();
    }

    @Override
    public void take() {
        NamedSrq from = stocked();
        from.receives.take();
        messageQueue = from;
    }

    /**
     * Returns the queue that the request names, if a receive is ready there; else any queue with a ready receive, which can
     * only be flushed.
     */
    private NamedSrq stocked() {
        NamedSrq requested = named;
        if (requested != null && requested.receives.hasNext()) {
            return requested;
        }
        return srqsByNumber.values().stream()
                .filter(each -> each.receives.hasNext())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no receive was taken"));
    }

    @Override
    public void abandon(Receive receive, Turn turn) {
        NamedSrq from = messageQueue;
        messageQueue = null;
        if (from != null && !from.destroyed) {
            from.receives.abandon(receive, turn);
        }
    }

    // rule xrc-completion
    @Override
    @MutationPoint("xrc-receives.completed")
    public void completed(WorkCompletion completion, boolean solicited, @Nullable InlineData inlineData, Turn turn) {
        NamedSrq from = messageQueue;
        messageQueue = null;
        if (from != null && !from.destroyed) {
            turn.completedBy(from.queue.completed(completion, solicited, inlineData), completion);
        }
    }

    @Override
    public boolean srqFailed(int queue) {
        NamedSrq srq = srqsByNumber.get(queue);
        if (srq != null) {
            srq.failed = true;
        }
        return true;
    }

    // rule xrc-queue-gone
    @Override
    public void srqDestroyed(int queue) {
        NamedSrq srq = srqsByNumber.remove(queue);
        if (srq != null) {
            srq.destroyed = true;
            srq.queue.leave();
        }
    }

    @Override
    public void clear(Turn turn) {
        srqsByNumber.values().forEach(each -> each.receives.clear(turn));
        named = null;
    }
}
