// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rendezvous;

import java.util.Optional;
import org.hcaactors.adapter.tag.FetchOrder;
import org.hcaactors.adapter.tag.TagMatch;
import org.hcaactors.adapter.tag.TagOpening;
import org.hcaactors.adapter.work.QueuePairReceives;
import org.hcaactors.adapter.work.ReceiveParts;
import org.hcaactors.adapter.work.ReceiveSource;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.completion.WorkCompletion;

/** A tag-matching queue as the source of a queue pair's receives. */
public interface TagReceiveSource extends ReceiveSource {
    /** Returns the number of the protection domain of its receives' keys. */
    int domain();

    // rule rendezvous-dc
    /** True if the queue has an initiator that fetches the data of messages over DC. */
    boolean hasInitiator();

    /**
     * Matches a message; empty if there is no receive for it.
     *
     * @param cause the event of the message's arrival
     */
    Optional<TagMatch> match(TagOpening opening, long cause);

    /** Returns a match whose message is abandoned. */
    void putBack(TagMatch match);

    // rule rendezvous-dc
    /**
     * Makes the queue's initiator fetch data; only if it has one.
     *
     * @param cause the event that caused it
     */
    void fetch(FetchOrder order, long cause);

    /**
     * Reports the result of a message.
     *
     * @param last no more completions of this message follow
     * @return number of the queue's completion queue
     */
    int completed(TagMatch match, WorkCompletion completion, boolean last, boolean solicited);

    /** Reports the result of a message, and records its completion. */
    default void complete(TagMatch match, WorkCompletion completion, boolean last, boolean solicited, Turn turn) {
        turn.completedBy(completed(match, completion, last, solicited), completion);
    }

    @Override
    default QueuePairReceives receives(ReceiveParts parts) {
        return TaggedReceives.of(this, parts);
    }

    @Override
    default boolean isShared() {
        return true;
    }

    @Override
    default boolean mayFetch() {
        return true;
    }

    @Override
    default boolean matchesTags() {
        return true;
    }
}
