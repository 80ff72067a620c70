// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.OptionalInt;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.NoReceive;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.RequestRefused;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.adapter.work.LocalMemory.Reach;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/** The receive of the message that is coming in: taken, filled, and completed or given up. */
public final class MessageBuffer {
    private final int qpNumber;
    private final Receives receives;
    private final int inlineBytes;
    private final boolean headed;
    private @Nullable Receive inUse;

    /** What the next message will take, from when it is known that there is one. */
    private @Nullable Receive offered;

    /** The way to it, and to what the current message has. */
    private @Nullable LocalMemory way;

    /** What the completion of the current message is to carry. */
    private @Nullable InlineData inlineData;

    /**
     * @param inlineBytes the longest message that its completion carries; 0: none
     * @param headed messages may begin with what does not go to their buffers
     */
    public MessageBuffer(int qpNumber, Receives receives, int inlineBytes, boolean headed) {
        this.qpNumber = qpNumber;
        this.receives = receives;
        this.inlineBytes = inlineBytes;
        this.headed = headed;
    }

    public Receives.Supply supply(Packet first, Turn turn) {
        Receives.Supply supply = receives.supply(first, turn);
        if (supply == Receives.Supply.READY) {
            offered = receives.next();
            way = receives.memory();
        } else {
            offered = null;
        }
        return supply;
    }

    public NoReceive whyEmpty() {
        return receives.whyEmpty();
    }

    public boolean isInUse() {
        return inUse != null;
    }

    /** The buffer of the current message, or the one that the next message will take. */
    public Receive current() {
        return inUse != null ? inUse : next();
    }

    private Receive next() {
        return offered != null ? offered : receives.next();
    }

    /** The part {@code [from, from+count)} of it. */
    public Reach reach(long from, long count, Turn turn) {
        Receive receive = current();
        LocalMemory memory = memory();
        Reach reach = memory.reach(receive.local(), from, count, true, turn);
        if (reach == Reach.ABSENT) {
            memory.widen(receive.local(), from, receive.lengthBytes() - from, true, turn);
        }
        return reach;
    }

    /** The way to it. */
    public LocalMemory memory() {
        return way != null ? way : receives.memory();
    }

    /** Why the last {@link #reach} was forbidden. */
    public Reason whyNot() {
        return new RequestRefused.ReceiveMemory(memory().whyNot());
    }

    /** Writes what was reached. */
    public void scatter(long from, Octets bytes, Turn turn) {
        memory().scatter(current().local(), from, bytes, turn);
    }

    /** What of a packet goes to the buffer. */
    public Octets landing(Packet packet) {
        Octets payload = packet.payload();
        int skipped = headed ? receives.skipped(packet) : 0;
        return skipped == 0 ? payload : payload.slice(skipped, payload.length() - skipped);
    }

    // rule inline-receive
    /** The message is one whole packet, and short enough to go with its completion. */
    public boolean carries(Packet packet) {
        int count = packet.payload().length();
        return count <= inlineBytes
                && count > 0
                && packet.operation().starts()
                && packet.operation().ends();
    }

    // rule inline-keys
    /** The message takes the next buffer, which is not looked at before its completion is polled. */
    public void takeAndCarry(Octets payload, Turn turn) {
        take();
        Receive receive = current();
        inlineData = turn.load(receive.id(), receive.local(), payload);
    }

    /** The current message takes the next buffer. */
    public void take() {
        inUse = next();
        offered = null;
        receives.take();
    }

    /** The current message has more packets to come. */
    public void goesOn(Turn turn) {
        receives.goesOn(turn);
    }

    /** A message that is given up costs no receive. */
    @MutationPoint("message-buffer.can-go-back")
    public boolean canGoBack() {
        return receives.takesBack();
    }

    /** The current message is given up and its buffer is the next one again. */
    public void rewind() {
        if (inUse != null) {
            receives.takeBack(inUse);
            inUse = null;
            offered = null;
            inlineData = null;
        }
    }

    /** The current message is complete. */
    public void complete(
            CompletionKind kind, long lengthBytes, WorkCompletion.Details details, boolean solicited, Turn turn) {
        Receive receive = current();
        InlineData carried = inlineData;
        inUse = null;
        inlineData = null;
        receives.completed(
                new WorkCompletion(receive.id(), Status.SUCCESS, kind, qpNumber, lengthBytes, details),
                solicited,
                carried,
                turn);
    }

    /** The current message, if it holds a buffer, ends with an error. */
    public void fail(Status status, Turn turn) {
        if (inUse != null) {
            turn.count(Counter.RESP_CQE_ERROR);
            report(status, turn);
        }
    }

    /** Every buffer here completes with WR_FLUSH_ERR; what stands in a shared queue stays there. */
    @MutationPoint("message-buffer.flush")
    public void flush(Turn turn) {
        offered = null;
        while (inUse != null || receives.hasNext()) {
            if (inUse == null) {
                take();
            }
            turn.count(Counter.RESP_CQE_FLUSH_ERROR);
            report(Status.WR_FLUSH_ERR, turn);
        }
    }

    /** The current message disappears without completion. */
    public void reset(Turn turn) {
        offered = null;
        if (inUse != null) {
            receives.abandon(inUse, turn);
            inUse = null;
            inlineData = null;
        }
    }

    private void report(Status status, Turn turn) {
        Receive receive = current();
        inUse = null;
        inlineData = null;
        receives.completed(
                WorkCompletion.of(receive.id(), status, CompletionKind.RECV, qpNumber, 0, OptionalInt.empty()),
                false,
                null,
                turn);
    }
}
