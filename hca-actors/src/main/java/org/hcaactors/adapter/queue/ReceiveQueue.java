package org.hcaactors.adapter.queue;

import java.util.OptionalInt;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.Receive;
import org.jspecify.annotations.Nullable;

/** The receive queue's ledger: buffers in posting order, and the one that the current message uses. */
final class ReceiveQueue {
    private final int qpNumber;
    private final int mask;
    private @Nullable Receive[] buffers = new Receive[0];
    private long head;
    private long tail;
    private @Nullable Receive inUse;

    /** @param capacity a power of two */
    ReceiveQueue(int qpNumber, int capacity) {
        this.qpNumber = qpNumber;
        this.mask = capacity - 1;
    }

    void add(Receive receive) {
        if (buffers.length == 0) {
            buffers = new Receive[mask + 1];
        }
        buffers[(int) tail++ & mask] = receive;
    }

    boolean isEmpty() {
        return head == tail;
    }

    /** The buffer of the current message, or the one that the next message will take. */
    Receive current() {
        Receive current = inUse != null ? inUse : buffers[(int) head & mask];
        if (current == null) {
            throw new IllegalStateException("no receive is posted");
        }
        return current;
    }

    /** The current message takes the next buffer. */
    void take() {
        inUse = current();
        buffers[(int) head++ & mask] = null;
    }

    boolean isInUse() {
        return inUse != null;
    }

    /** The current message is complete. */
    void complete(CompletionKind kind, long lengthBytes, OptionalInt immediate, QpEffects effects) {
        Receive receive = current();
        inUse = null;
        effects.completedReceive(
                new WorkCompletion(receive.id(), Status.SUCCESS, kind, qpNumber, lengthBytes, immediate, 0));
    }

    /** The current message, if it holds a buffer, ends with an error. */
    void fail(Status status, QpEffects effects) {
        if (inUse != null) {
            effects.count(Counter.RESP_CQE_ERROR);
            report(status, effects);
        }
    }

    /** Every buffer left completes with WR_FLUSH_ERR. */
    void flush(QpEffects effects) {
        while (inUse != null || !isEmpty()) {
            if (inUse == null) {
                take();
            }
            effects.count(Counter.RESP_CQE_FLUSH_ERROR);
            report(Status.WR_FLUSH_ERR, effects);
        }
    }

    /** Every buffer left disappears without completion. */
    void reset() {
        inUse = null;
        while (!isEmpty()) {
            buffers[(int) head++ & mask] = null;
        }
    }

    private void report(Status status, QpEffects effects) {
        Receive receive = current();
        inUse = null;
        effects.completedReceive(
                new WorkCompletion(receive.id(), status, CompletionKind.RECV, qpNumber, 0, OptionalInt.empty(), 0));
    }
}
