// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Ledger of a send queue: every request from posting to completion, in order, with the slots that it holds.
 *
 * <p>Positions count from the first request and never wrap in practice: {@code head} is the oldest request that is not
 * complete, {@code nextToStart} the oldest that was never started, {@code tail} the next free position.
 */
public final class SendLedger implements SendQueue {
    private static final @Nullable PostedRequest[] NONE = {};

    private final QpSettings settings;
    private final int mask;
    private @Nullable PostedRequest[] requests = NONE;

    private long head;
    private long nextToStart;
    private long tail;

    private @Nullable PostedRequest failed;

    private Status failedWith = Status.SUCCESS;

    private final SilentSlots silent;

    /** @param capacity a power of two, or 0 if no request is ever posted */
    public SendLedger(QpSettings settings, int capacity) {
        this(settings, capacity, new SilentSlots());
    }

    /** @param silent slots of the send queue that this ledger is one channel's part of */
    public SendLedger(QpSettings settings, int capacity, SilentSlots silent) {
        this.settings = settings;
        this.mask = capacity - 1;
        this.silent = silent;
    }

    @Override
    public void add(PostedRequest posted) {
        if (requests.length == 0) {
            requests = new PostedRequest[mask + 1];
        }
        requests[(int) tail++ & mask] = posted;
    }

    int capacity() {
        return mask + 1;
    }

    /** Starts the oldest request that was never started; returns its position. */
    long start() {
        return nextToStart++;
    }

    public PostedRequest at(long position) {
        PostedRequest posted = requests[(int) position & mask];
        if (posted == null || position < head || position >= tail) {
            throw new IllegalStateException("no request is at position " + position + "; positions from " + head
                    + " to below " + tail + " exist");
        }
        return posted;
    }

    public long head() {
        return head;
    }

    public long nextToStart() {
        return nextToStart;
    }

    public long tail() {
        return tail;
    }

    public boolean isEmpty() {
        return head == tail;
    }

    /** True if a request is started and not complete. */
    @MutationPoint("send-ledger.has-outstanding")
    public boolean hasOutstanding() {
        return head != nextToStart;
    }

    @Override
    public int waiting() {
        return posted(nextToStart, tail);
    }

    @Override
    public int started() {
        return posted(head, nextToStart);
    }

    /** Counts the requests that the program posted. */
    private int posted(long from, long to) {
        int count = 0;
        for (long position = from; position < to; position++) {
            count += at(position).request() == null ? 1 : 0;
        }
        return count;
    }

    /** True if the oldest request writes a completion when it succeeds. */
    public boolean isHeadSignaled() {
        return at(head).isSignaled(settings.signalAll);
    }

    /**
     * Completes the oldest request.
     *
     * @param inlineData inline data of the completion, if any
     */
    void completeHead(@Nullable InlineData inlineData, Turn turn) {
        complete(remove(), inlineData, turn);
    }

    private void complete(PostedRequest posted, @Nullable InlineData inlineData, Turn turn) {
        if (posted.isSignaled(settings.signalAll)) {
            report(posted, Status.SUCCESS, inlineData, turn);
        } else {
            silent.add();
        }
    }

    /** Completes the oldest request, started or not, with an error; the caller moves the queue pair to ERR. */
    void failHead(Status status, Turn turn) {
        turn.count(Counter.REQ_CQE_ERROR);
        PostedRequest posted = remove();
        failed = posted;
        failedWith = status;
        report(posted, status, null, turn);
    }

    @Override
    @MutationPoint("send-ledger.flush")
    public void flush(Turn turn) {
        while (head != tail) {
            turn.count(Counter.REQ_CQE_FLUSH_ERROR);
            report(remove(), Status.WR_FLUSH_ERR, null, turn);
        }
    }

    /** Selects the requests to be flushed. */
    public interface Choice {
        boolean takes(PostedRequest posted, boolean started);
    }

    /** True if the selection takes any request. */
    public boolean has(Choice some) {
        for (long position = head; position < tail; position++) {
            if (some.takes(at(position), position < nextToStart)) {
                return true;
            }
        }
        return false;
    }

    // rules dc-stream-error, memory-key-work
    /**
     * Flushes the selected requests; the others keep their order, and those of them that were started begin again. A key change
     * that was started is completed instead, since it is made only once: it waited only for the requests before it.
     */
    @MutationPoint("send-ledger.flush-some")
    public void flush(Choice some, Turn turn) {
        List<PostedRequest> others = new ArrayList<>();
        while (head != tail) {
            boolean started = head < nextToStart;
            PostedRequest next = remove();
            if (some.takes(next, started)) {
                turn.count(Counter.REQ_CQE_FLUSH_ERROR);
                report(next, Status.WR_FLUSH_ERR, null, turn);
            } else if (started && next.changesKey()) {
                complete(next, null, turn);
            } else {
                others.add(next);
            }
        }
        others.forEach(this::add);
    }

    @Override
    @MutationPoint("send-ledger.reset")
    public void reset(Turn turn) {
        while (head != tail) {
            drop(remove(), turn);
        }
        silent.take();
    }

    private static void drop(PostedRequest posted, Turn turn) {
        AdapterInitiatedRequest request = posted.request();
        if (request != null) {
            request.ended(Status.WR_FLUSH_ERR, turn);
        } else {
            turn.droppedSend(posted);
        }
    }

    /** Returns the request that failed last; call it only if one did. */
    public PostedRequest failed() {
        return Objects.requireNonNull(failed, "no request has failed");
    }

    /** Returns the status that it failed with. */
    public Status failedWith() {
        return failedWith;
    }

    private PostedRequest remove() {
        PostedRequest posted = at(head);
        requests[(int) head & mask] = null;
        if (head == nextToStart) {
            nextToStart++;
        }
        head++;
        return posted;
    }

    // rule completion-length
    @MutationPoint("send-ledger.report")
    private void report(PostedRequest posted, Status status, @Nullable InlineData inlineData, Turn turn) {
        AdapterInitiatedRequest request = posted.request();
        if (request != null) {
            request.ended(status, turn);
            return;
        }
        long lengthBytes = status == Status.SUCCESS && posted.awaitsResponse() ? posted.lengthBytes() : 0;
        WorkCompletion completion = WorkCompletion.of(
                posted.id(), status, posted.kind(), settings.number, lengthBytes, OptionalInt.empty());
        turn.completedSend(completion, posted, silent.take() + 1, inlineData);
    }
}
