// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.OptionalInt;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.inline.Cargo;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.jspecify.annotations.Nullable;

/**
 * The send queue's ledger: every request from posting to completion, in order, with the slots that it holds.
 *
 * <p>Positions are counted from the first request and never wrap in practice: {@code head} is the oldest that is not
 * complete, {@code fresh} the oldest that was never started, {@code tail} the next free one.
 */
public final class SendLedger {
    private final QpSettings settings;
    private final int mask;
    private @Nullable Posted[] requests = new Posted[0];

    private long head;
    private long fresh;
    private long tail;

    /** Slots of successful unsignaled requests, given back with the next completion (rule post-slot). */
    private int silentSlots;

    /** @param capacity a power of two, or 0 where nothing is ever added */
    public SendLedger(QpSettings settings, int capacity) {
        this.settings = settings;
        this.mask = capacity - 1;
    }

    public void add(Posted posted) {
        if (requests.length == 0) {
            requests = new Posted[mask + 1];
        }
        requests[(int) tail++ & mask] = posted;
    }

    int capacity() {
        return mask + 1;
    }

    /** Starts the oldest request that never was; returns its position. */
    long start() {
        return fresh++;
    }

    public Posted at(long position) {
        Posted posted = requests[(int) position & mask];
        if (posted == null || position < head || position >= tail) {
            throw new IllegalStateException("no request at " + position + "; " + head + " to " + tail + " are there");
        }
        return posted;
    }

    public long head() {
        return head;
    }

    public long fresh() {
        return fresh;
    }

    public long tail() {
        return tail;
    }

    public boolean isEmpty() {
        return head == tail;
    }

    /** Something was started and is not complete. */
    public boolean hasOutstanding() {
        return head != fresh;
    }

    /** Posted and not started. */
    public int waiting() {
        return (int) (tail - fresh);
    }

    /** Started and not done. */
    public int started() {
        return (int) (fresh - head);
    }

    /** The oldest request writes a completion when it is done. */
    public boolean isHeadSignaled() {
        return at(head).wantsCompletion(settings.signalAll);
    }

    /**
     * The oldest request is done.
     *
     * @param cargo what its completion carries, if it does
     */
    void completeHead(@Nullable Cargo cargo, Turn turn) {
        Posted posted = remove();
        if (posted.wantsCompletion(settings.signalAll)) {
            report(posted, Status.SUCCESS, cargo, turn);
        } else {
            silentSlots++;
        }
    }

    /** The oldest request, started or not, ends with an error; the caller takes the queue pair to ERR. */
    void failHead(Status status, Turn turn) {
        turn.count(Counter.REQ_CQE_ERROR);
        report(remove(), status, null, turn);
    }

    /** Every request left completes with WR_FLUSH_ERR, signaled or not (rule qp-flush). */
    public void flush(Turn turn) {
        while (head != tail) {
            turn.count(Counter.REQ_CQE_FLUSH_ERROR);
            report(remove(), Status.WR_FLUSH_ERR, null, turn);
        }
    }

    /** Every request left disappears without completion. */
    public void reset(Turn turn) {
        while (head != tail) {
            turn.droppedSend(remove());
        }
        silentSlots = 0;
    }

    private Posted remove() {
        Posted posted = at(head);
        requests[(int) head & mask] = null;
        if (head == fresh) {
            fresh++;
        }
        head++;
        return posted;
    }

    // rule completion-length
    private void report(Posted posted, Status status, @Nullable Cargo cargo, Turn turn) {
        long lengthBytes = status == Status.SUCCESS && posted.awaitsResponse() ? posted.lengthBytes() : 0;
        WorkCompletion completion = WorkCompletion.of(
                posted.work().id(), status, posted.kind(), settings.number, lengthBytes, OptionalInt.empty());
        int slots = silentSlots + 1;
        silentSlots = 0;
        turn.completedSend(completion, posted, slots, cargo);
    }
}
