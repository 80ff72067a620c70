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
 * What the machines of a queue pair want done. They are called back with nothing: answers come in as new inputs. What is merely
 * told stands in {@link QpObserver}.
 */
public interface QpEffects {
    /** Another turn begins. */
    default void begins() {}

    /**
     * @param cause the event behind the packet
     * @param again the event for which it is sent once more; 0 the first time
     */
    void send(Packet packet, long cause, long again);

    /**
     * A send completion.
     *
     * @param slots freed when it is taken
     * @param inlineData what it carries, if it does
     */
    void completedSend(WorkCompletion completion, PostedRequest posted, int slots, @Nullable InlineData inlineData);

    /**
     * A receive completion; it frees one slot when it is taken.
     *
     * @param solicited the sender asked for a solicited event
     * @param inlineData what it carries, if it does
     */
    void completedReceive(WorkCompletion completion, boolean solicited, @Nullable InlineData inlineData);

    /**
     * Uses a shared receive queue from now on, whose number a request names (rule xrc-domain).
     *
     * @return its protection domain; empty where the queue pair's XRC domain has none of that number
     */
    OptionalInt joinShared(int queue);

    /** Uses that queue no more. */
    void leaveShared(int queue);

    /**
     * A receive completion of a queue that was joined, which says where it goes; it frees one slot of it when it is taken.
     *
     * @return number of the completion queue
     */
    int completedNamed(int queue, WorkCompletion completion, boolean solicited, @Nullable InlineData inlineData);

    /** Ask the shared receive queue of that number for one buffer. */
    void takeShared(int queue);

    /**
     * Ask the tag-matching queue of that number what a message gets.
     *
     * @param cause number of the event of its coming
     */
    void matchShared(int queue, TagOpening opening, long cause);

    // rule rendezvous-dc
    /**
     * The initiator of the tag-matching queue of that number is to fetch.
     *
     * @param cause number of the event that it follows from
     */
    void fetchShared(int queue, FetchOrder order, long cause);

    /** A message will not come that was given that. */
    void giveBackMatch(int queue, TagMatch match);

    /** Nobody waits any more for what was asked last of the shared receive queue of that number: what it gives stays there. */
    void withdrawShared(int queue);

    /**
     * What became of a message to a tag-matching queue.
     *
     * @param last no more is to come of it
     * @return number of the completion queue
     */
    int completedMatch(int queue, TagMatch match, WorkCompletion completion, boolean last, boolean solicited);

    /** A buffer that no message was put into goes back to the head of the shared receive queue. */
    void giveBackShared(int queue, Receive receive);

    /** A request that ends without completion: its queue pair was reset or destroyed. */
    void droppedSend(PostedRequest posted);

    /** Ask the key's translator for a lease. */
    void askLease(int key);

    /**
     * Make the change of a key that a request asks for; answered to the initiator.
     *
     * @param ticket comes back with the answer
     */
    void changeKey(PostedRequest request, long ticket);

    /**
     * A peer's message asks that a key shows nothing any more; answered to the target.
     *
     * @param cause number of the event of its coming
     * @param by whom it reaches memory as
     * @param ticket comes back with the answer
     */
    void invalidate(long cause, KeyUser by, int key, long ticket);

    /**
     * Have the host bring in pages; answered to both halves, of which one knows the ticket's.
     *
     * @param ticket comes back with the answer
     */
    void bringIn(PageFault fault, long ticket);

    /** Someone may hold packets sent from here even after they have been acknowledged. */
    boolean packetsAreKept();

    void releaseLease(Lease lease);

    /**
     * @param cause the event behind it
     * @param reason what it reports, where what is being handled does not tell
     */
    void raise(long cause, AsyncEvent.Kind kind, Reason reason);

    void count(Counter counter);

    /** The state is another one from now on. */
    void entered(QpState state);
}
