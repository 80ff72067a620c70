// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.xrc;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.adapter.flow.RequestRefused;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.LeaseCache;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.PageWaits;
import org.hcaactors.adapter.work.RequestAdmission;
import org.hcaactors.adapter.work.SharedReceiveSource;
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
public final class XrcReceives implements SharedReceiveSource, RequestAdmission {
    static final int CAPACITY = 64;

    /** A shared receive queue as known to this queue pair. */
    private static final class NamedSrq {
        final SrqReceives receives;
        boolean failed;

        NamedSrq(SrqReceives receives) {
            this.receives = receives;
        }
    }

    private final int queuePair;
    private final LeaseCache leases;
    private final PageWaits waits;

    /** By number, the least recently named first. */
    private final Map<Integer, NamedSrq> srqsByNumber = new LinkedHashMap<>(4, 0.75f, true);

    /** The queue named by the request that was admitted last. */
    @MutationPoint("xrc-receives.named")
    private @Nullable SrqReceives named;

    /** The queue whose receive the current message holds. */
    private @Nullable SrqReceives messageQueue;

    public XrcReceives(int queuePair, LeaseCache leases, PageWaits waits) {
        this.queuePair = queuePair;
        this.leases = leases;
        this.waits = waits;
    }

    // rules xrc-domain, xrc-one-queue, xrc-unknown, xrc-queue-fails
    @Override
    @MutationPoint("xrc-receives.refusal")
    public Optional<RequestRefused> refusal(Packet request, Turn turn) {
        int number = request.xrcEth().srqNumber();
        SrqReceives before = named;
        if (before != null && before.number() != number && !request.operation().starts()) {
            return Optional.of(new RequestRefused.OtherSharedReceives(number, before.number()));
        }
        NamedSrq srq = find(number, turn);
        if (srq == null) {
            return Optional.of(new RequestRefused.NoSuchSharedReceives(number));
        }
        if (srq.failed) {
            return Optional.of(new RequestRefused.SharedReceivesFailed(number));
        }
        named = srq.receives;
        return Optional.empty();
    }

    private @Nullable NamedSrq find(int number, Turn turn) {
        NamedSrq srq = srqsByNumber.get(number);
        if (srq != null) {
            return srq;
        }
        OptionalInt domain = turn.joinShared(number);
        if (domain.isEmpty()) {
            return null;
        }
        makeRoom(turn);
        LocalMemory memory = new LocalMemory(new KeyUser(domain.getAsInt(), queuePair), leases, waits);
        NamedSrq joined = new NamedSrq(new SrqReceives(number, memory));
        srqsByNumber.put(number, joined);
        return joined;
    }

    private void makeRoom(Turn turn) {
        Iterator<NamedSrq> leastRecent = srqsByNumber.values().iterator();
        while (srqsByNumber.size() >= CAPACITY && leastRecent.hasNext()) {
            SrqReceives receives = leastRecent.next().receives;
            if (!receives.hasNext() && receives != messageQueue) {
                leastRecent.remove();
                turn.leaveShared(receives.number());
            }
        }
    }

    @Override
    public LocalMemory memory() {
        return named().memory();
    }

    private SrqReceives named() {
        if (named == null) {
            throw new IllegalStateException("no request was accepted");
        }
        return named;
    }

    @Override
    public Supply supply(Packet first, Turn turn) {
        return named().supply(first, turn);
    }

    // rule xrc-rnr
    @Override
    public boolean hasNext() {
        SrqReceives requested = named;
        return requested != null && requested.hasNext()
                || srqsByNumber.values().stream().anyMatch(each -> each.receives.hasNext());
    }

    @Override
    public Receive next() {
        return stocked().next();
    }

    @Override
    public void take() {
        SrqReceives receives = stocked();
        receives.take();
        messageQueue = receives;
    }

    /**
     * Returns the queue that the request names, if a receive is ready there; else any queue with a ready receive, which can
     * only be flushed.
     */
    private SrqReceives stocked() {
        SrqReceives requested = named;
        if (requested != null && requested.hasNext()) {
            return requested;
        }
        return srqsByNumber.values().stream()
                .map(each -> each.receives)
                .filter(SrqReceives::hasNext)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no receive was taken"));
    }

    @Override
    public void abandon(Receive receive, Turn turn) {
        SrqReceives from = messageQueue;
        messageQueue = null;
        if (from != null && srqsByNumber.containsKey(from.number())) {
            from.abandon(receive, turn);
        }
    }

    // rule xrc-completion
    @Override
    public void completed(WorkCompletion completion, boolean solicited, @Nullable InlineData inlineData, Turn turn) {
        SrqReceives from = messageQueue;
        messageQueue = null;
        if (from != null && srqsByNumber.containsKey(from.number())) {
            turn.completedNamed(from.number(), completion, solicited, inlineData);
        }
    }

    @Override
    public boolean failed(int queue) {
        NamedSrq srq = srqsByNumber.get(queue);
        if (srq != null) {
            srq.failed = true;
        }
        return true;
    }

    @Override
    public void srqDestroyed(int queue) {
        srqsByNumber.remove(queue);
    }

    @Override
    public void clear(Turn turn) {
        srqsByNumber.values().forEach(each -> each.receives.clear(turn));
        named = null;
    }
}
