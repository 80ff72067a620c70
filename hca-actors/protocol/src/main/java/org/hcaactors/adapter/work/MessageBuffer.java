// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.OptionalInt;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.NoReceive;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.RequestRefused;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.adapter.work.LocalMemory.Accessibility;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/** The receive of the message being received: taken, filled, and completed or abandoned. */
public final class MessageBuffer {
    private final int qpNumber;
    private final Receives receives;
    private final int inlineBytes;
    private final boolean headed;
    private @Nullable Receive inUse;

    /** The receive that the next message will take, once it is known to exist. */
    private @Nullable Receive offered;

    /** Access to that receive's memory, and to the current message's. */
    private @Nullable LocalMemory memory;

    /** Inline data for the completion of the current message. */
    private @Nullable InlineData inlineData;

    /**
     * @param inlineBytes maximum length of a message delivered in its completion; 0 for none
     * @param headed messages may begin with bytes that are not written to their buffers
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
            memory = receives.memory();
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

    /** Returns the receive of the current message, or the one that the next message will take. */
    public Receive current() {
        return inUse != null ? inUse : next();
    }

    private Receive next() {
        return offered != null ? offered : receives.next();
    }

    /** Checks the range {@code [from, from+count)} of the receive. */
    public Accessibility checkAccess(long from, long count, Turn turn) {
        Receive receive = current();
        LocalMemory memory = memory();
        Accessibility reach = memory.checkAccess(receive.local(), from, count, true, turn);
        if (reach == Accessibility.ABSENT) {
            memory.widen(receive.local(), from, receive.lengthBytes() - from, true, turn);
        }
        return reach;
    }

    /** Returns the access to the receive's memory. */
    public LocalMemory memory() {
        return memory != null ? memory : receives.memory();
    }

    /** Returns why the last {@link #checkAccess} was forbidden. */
    public Reason whyNot() {
        return new RequestRefused.ReceiveMemory(memory().whyNot());
    }

    /** Writes a range for which {@link #checkAccess} was READY. */
    public void scatter(long from, Octets bytes, Turn turn) {
        memory().scatter(current().local(), from, bytes, turn);
    }

    /** Returns the part of a packet's payload that is written to the buffer. */
    public Octets landing(Packet packet) {
        Octets payload = packet.payload();
        int skipped = headed ? receives.skipped(packet) : 0;
        return skipped == 0 ? payload : payload.slice(skipped, payload.length() - skipped);
    }

    // rule inline-receive
    /** True if the message is one packet and short enough to be delivered in its completion. */
    public boolean carries(Packet packet) {
        int count = packet.payload().length();
        return count <= inlineBytes
                && count > 0
                && packet.operation().starts()
                && packet.operation().ends();
    }

    // rule inline-keys
    /** Takes the next receive for an inline message; its buffers are not checked until the completion is polled. */
    public void takeAndCarry(Octets payload, Turn turn) {
        take();
        Receive receive = current();
        inlineData = turn.load(receive.id(), receive.local(), payload);
    }

    /** Takes the next receive for the current message. */
    public void take() {
        inUse = next();
        offered = null;
        receives.take();
    }

    /** The current message has more packets to follow. */
    public void goesOn(Turn turn) {
        receives.messageContinues(turn);
    }

    /** True if an abandoned message's receive can be put back. */
    @MutationPoint("message-buffer.can-go-back")
    public boolean canGoBack() {
        return receives.takesBack();
    }

    /** Abandons the current message; its receive becomes the next one again. */
    public void rewind() {
        if (inUse != null) {
            receives.takeBack(inUse);
            inUse = null;
            offered = null;
            inlineData = null;
        }
    }

    /** Completes the current message. */
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

    /** Completes the current message with an error, if it holds a receive. */
    public void fail(Status status, Turn turn) {
        if (inUse != null) {
            turn.count(Counter.RESP_CQE_ERROR);
            report(status, turn);
        }
    }

    /** Completes every receive here with WR_FLUSH_ERR; receives in a shared queue stay there. */
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

    /** Abandons the current message without completion. */
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
