// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.OptionalInt;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.tag.FetchOrder;
import org.hcaactors.adapter.tag.TagMatch;
import org.hcaactors.adapter.tag.TagOpening;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.Receive;
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

    /**
     * Starts to use a shared receive queue whose number a request names (rule xrc-domain).
     *
     * @return its protection domain; empty if the queue pair's XRC domain has no queue of that number
     */
    OptionalInt joinShared(int queue);

    /** Stops using that shared receive queue. */
    void leaveShared(int queue);

    /**
     * Writes a receive completion of a shared receive queue that was joined, to that queue's completion queue; frees one of its
     * slots when it is taken from there.
     *
     * @return number of the completion queue
     */
    int completedNamed(int queue, WorkCompletion completion, boolean solicited, @Nullable InlineData inlineData);

    /** Takes the oldest receive of the shared receive queue of that number; null if there is none. */
    @Nullable
    Receive takeShared(int queue);

    /**
     * Reports that the receive was taken, and that the queue reached its limit if it did; called when the queue pair holds the
     * receive, so that an exception does not lose it.
     */
    void sharedTaken(int queue, Receive receive);

    /**
     * Requests a match for a message from the tag-matching queue of that number.
     *
     * @param cause the event of the message's arrival
     */
    void matchShared(int queue, TagOpening opening, long cause);

    // rule rendezvous-dc
    /**
     * Makes the initiator of the tag-matching queue of that number fetch data.
     *
     * @param cause the event that caused it
     */
    void fetchShared(int queue, FetchOrder order, long cause);

    /** Returns a match whose message is abandoned. */
    void returnMatch(int queue, TagMatch match);

    /** Withdraws the last request to the tag-matching queue of that number: the receive stays there. */
    void withdrawMatch(int queue);

    /**
     * Reports the result of a message to a tag-matching queue.
     *
     * @param last no more completions of this message follow
     * @return number of the completion queue
     */
    int completedMatch(int queue, TagMatch match, WorkCompletion completion, boolean last, boolean solicited);

    /** Puts an unused receive back at the head of the shared receive queue. */
    void returnShared(int queue, Receive receive);

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
