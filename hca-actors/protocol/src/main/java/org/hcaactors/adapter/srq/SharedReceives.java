// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.srq;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.EventDetail;
import org.hcaactors.api.work.Receive;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Receives of a shared receive queue and its limit (rule receive-shared-order; ibv_modify_srq(3)). Programs post on their
 * threads, and each queue pair takes in the turn of its message, so a receive is available when posting returns. Any thread:
 * calls hold a short lock and wait for nothing else.
 */
public final class SharedReceives {
    @MutationPoint("shared-receives.buffers")
    private final ArrayDeque<Receive> buffers = new ArrayDeque<>();

    @MutationPoint("shared-receives.limit")
    private int limit;

    private boolean closed;

    /** What was left each time when the limit was reached, until it is reported. */
    private final ArrayDeque<EventDetail.BelowLimit> reached = new ArrayDeque<>(1);

    /** True if there is something to report; read without the lock by every take. */
    private volatile boolean unreported;

    public synchronized int size() {
        return buffers.size();
    }

    public synchronized int limit() {
        return limit;
    }

    public synchronized void add(Receive receive) {
        buffers.add(receive);
    }

    /** Adds receives next to each other. */
    public synchronized void addAll(List<Receive> receives) {
        buffers.addAll(receives);
    }

    // rule receive-limit
    /** Takes the oldest receive; null if there is none, or after {@link #close}. */
    @MutationPoint("shared-receives.take")
    public synchronized @Nullable Receive take() {
        if (closed) {
            return null;
        }
        Receive oldest = buffers.poll();
        compareWithLimit();
        return oldest;
    }

    /** Puts an unused receive back; it is the oldest again (rule receive-returned). */
    public synchronized void putBack(Receive receive) {
        buffers.addFirst(receive);
    }

    // rule receive-limit-at-once
    /** Sets the limit; 0 disarms it. */
    public synchronized void arm(int requested) {
        limit = requested;
        compareWithLimit();
    }

    /** Disarms the limit if fewer receives are left, in the same step as the change that left them. */
    @MutationPoint("shared-receives.compare-with-limit")
    private void compareWithLimit() {
        if (buffers.size() < limit) {
            reached.add(new EventDetail.BelowLimit(buffers.size(), limit));
            unreported = true;
            limit = 0;
        }
    }

    /** Returns what was left when the limit was reached, once for each time. */
    public Optional<EventDetail.BelowLimit> reached() {
        return unreported ? nextReached() : Optional.empty();
    }

    private synchronized Optional<EventDetail.BelowLimit> nextReached() {
        Optional<EventDetail.BelowLimit> oldest = Optional.ofNullable(reached.poll());
        unreported = !reached.isEmpty();
        return oldest;
    }

    /** The queue is in error: nothing can be taken any more. */
    public synchronized void close() {
        closed = true;
    }
}
