// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.Packet;
import org.jspecify.annotations.Nullable;

/**
 * Effects requested by the machines of a queue pair. Answers arrive later as inputs, except where a method returns a value.
 * Events that only inform are in {@link QpObserver}.
 */
public interface QpEffects {
    /** A turn begins. */
    default void begins() {}

    /**
     * Sends a packet.
     *
     * @param cause the event that caused the packet
     * @param again the event that caused its retransmission; 0 the first time
     */
    void send(Packet packet, long cause, long again);

    /**
     * True if packets that are sent now go to a receiver on the same shard, and no observer sees them: their payloads may be
     * lent, and middle packets may be sent as a run. If it is otherwise when they are handed over, they are settled and split.
     */
    default boolean mayLend() {
        return false;
    }

    /**
     * Writes a send completion.
     *
     * @param slots send queue slots that are freed when the completion is taken from its queue
     * @param inlineData its inline data, if any
     */
    void completedSend(WorkCompletion completion, PostedRequest posted, int slots, @Nullable InlineData inlineData);

    /**
     * Writes a receive completion, which frees one slot when it is taken from its queue.
     *
     * @param solicited the sender requested a solicited event
     * @param inlineData its inline data, if any
     */
    void completedReceive(WorkCompletion completion, boolean solicited, @Nullable InlineData inlineData);

    /** A request ends without completion: its queue pair was reset or destroyed. */
    void droppedSend(PostedRequest posted);

    /** Requests a lease from the key's translator. */
    void requestLease(int key);

    /**
     * Requests the key change of a request; the initiator receives the answer.
     *
     * @param ticket is returned with the answer
     */
    void changeKey(PostedRequest request, long ticket);

    /**
     * Requests the invalidation of a key for a peer's message; the target receives the answer.
     *
     * @param cause the event of the message's arrival
     * @param by identity under which the target accesses memory
     * @param ticket is returned with the answer
     */
    void invalidate(long cause, KeyUser by, int key, long ticket);

    /**
     * Requests pages from the host; both halves receive the answer, and one of them knows the ticket.
     *
     * @param ticket is returned with the answer
     */
    void requestPages(PageFault fault, long ticket);

    /** True if an observer may hold sent packets even after they are acknowledged. */
    boolean packetsAreKept();

    void releaseLease(Lease lease);

    /**
     * Raises an asynchronous event.
     *
     * @param cause the event behind it
     * @param reason the event's detail, where its cause does not explain it
     */
    void raise(long cause, AsyncEvent.Kind kind, Reason reason);

    void count(Counter counter);

    /** The queue pair has entered another state. */
    void entered(QpState state);
}
