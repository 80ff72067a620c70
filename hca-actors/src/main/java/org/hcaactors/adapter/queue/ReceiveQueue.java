// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.queue;

import java.util.OptionalInt;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.Receive;
import org.jspecify.annotations.Nullable;

/**
 * The receive side's ledger: buffers in posting order, and the one that the current message uses. With a shared receive
 * queue it holds at most the one buffer that was taken for the next message: it never takes ahead (rule
 * receive-shared-order), since the order across queue pairs, the limit event and RNR would differ from hardware's.
 */
final class ReceiveQueue {
    /** Whether the next message finds a buffer. */
    enum Supply {
        READY,
        EMPTY,
        /** The shared queue was asked; try again when its answer is in. */
        AWAITING
    }

    private final int qpNumber;
    private final boolean shared;
    private final int mask;
    private @Nullable Receive[] buffers = new Receive[0];
    private long head;
    private long tail;
    private @Nullable Receive inUse;
    /** The shared queue was asked for a buffer and has not answered. */
    private boolean asked;

    private int starving;
    /** The last one that found nothing was made to. */
    private boolean starved;

    /** The shared queue had none when it was asked in this turn. */
    private boolean toldEmpty;

    /** @param capacity a power of two, or 0 where nothing is ever added */
    ReceiveQueue(int qpNumber, boolean shared, int capacity) {
        this.qpNumber = qpNumber;
        this.shared = shared;
        this.mask = shared ? 0 : capacity - 1;
    }

    void add(Receive receive) {
        if (buffers.length == 0) {
            buffers = new Receive[mask + 1];
        }
        buffers[(int) tail++ & mask] = receive;
    }

    /** So many messages find nothing, whatever is posted. */
    void starve(int messages) {
        starving = messages;
    }

    Supply supply(Turn turn) {
        starved = starving > 0;
        if (starved) {
            starving--;
            return Supply.EMPTY;
        }
        if (head != tail) {
            return Supply.READY;
        }
        if (!shared || toldEmpty) {
            return Supply.EMPTY;
        }
        if (!asked) {
            asked = true;
            turn.takeShared();
        }
        return Supply.AWAITING;
    }

    /** Why the next message finds no buffer. */
    String whyEmpty() {
        return starved
                ? HcaEvent.Failed.STARVED
                : shared ? "its shared receive queue is empty" : "no receive is posted";
    }

    /** The shared queue's answer. */
    void taken(Receive receive) {
        asked = false;
        add(receive);
    }

    /** The shared queue's answer: it has none. */
    void noneToTake() {
        asked = false;
        toldEmpty = true;
    }

    /** A later message asks the shared queue again. */
    void endTurn() {
        toldEmpty = false;
    }

    boolean isShared() {
        return shared;
    }

    /** A buffer of the shared queue may still be on its way here. */
    boolean isAwaiting() {
        return asked;
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

    /** The current message is given up and its buffer is the next one again. */
    void rewind() {
        if (inUse != null) {
            buffers[(int) --head & mask] = inUse;
            inUse = null;
        }
    }

    /** The current message is complete. */
    void complete(CompletionKind kind, long lengthBytes, WorkCompletion.Details details, boolean solicited, Turn turn) {
        Receive receive = current();
        inUse = null;
        turn.completedReceive(
                new WorkCompletion(receive.id(), Status.SUCCESS, kind, qpNumber, lengthBytes, details), solicited);
    }

    /** The current message, if it holds a buffer, ends with an error. */
    void fail(Status status, Turn turn) {
        if (inUse != null) {
            turn.count(Counter.RESP_CQE_ERROR);
            report(status, turn);
        }
    }

    /** Every buffer here completes with WR_FLUSH_ERR; what stands in a shared queue stays there. */
    void flush(Turn turn) {
        while (inUse != null || head != tail) {
            if (inUse == null) {
                take();
            }
            turn.count(Counter.RESP_CQE_FLUSH_ERROR);
            report(Status.WR_FLUSH_ERR, turn);
        }
    }

    /**
     * Every buffer here disappears without completion; one of a shared queue goes back to it (rule receive-returned).
     */
    void reset(Turn turn) {
        if (shared) {
            rewind();
        }
        inUse = null;
        while (head != tail) {
            if (shared) {
                turn.giveBackShared(current());
            }
            buffers[(int) head++ & mask] = null;
        }
    }

    private void report(Status status, Turn turn) {
        Receive receive = current();
        inUse = null;
        turn.completedReceive(
                WorkCompletion.of(receive.id(), status, CompletionKind.RECV, qpNumber, 0, OptionalInt.empty()), false);
    }
}
