// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.List;
import java.util.Optional;
import org.hcaactors.actors.srq.SharedReceiveHandle;
import org.hcaactors.adapter.completion.WorkQueueFeed;
import org.hcaactors.adapter.rendezvous.FetchSource;
import org.hcaactors.adapter.rendezvous.TagReceiveSource;
import org.hcaactors.adapter.tag.FetchOrder;
import org.hcaactors.adapter.tag.TagMatch;
import org.hcaactors.adapter.tag.TagOpening;
import org.hcaactors.adapter.work.ReceiveSource;
import org.hcaactors.api.completion.WorkCompletion;
import org.jspecify.annotations.Nullable;

/** A tag-matching queue as the source of one queue pair's receives, or of the messages whose data it fetches. */
final class TagAttachment implements ReceiveAttachment, TagReceiveSource {
    private final SharedReceiveHandle queue;
    private final int queuePair;
    private final boolean fetchesOnly;

    /** Completions of this turn, all of one work queue. */
    private final CompletionBatch completions = new CompletionBatch();

    private @Nullable WorkQueueFeed workQueue;

    /**
     * @param queuePair number of the queue pair
     * @param fetchesOnly the queue pair is the queue's initiator, which receives nothing and does not keep it open
     */
    TagAttachment(SharedReceiveHandle queue, int queuePair, boolean fetchesOnly) {
        this.queue = queue;
        this.queuePair = queuePair;
        this.fetchesOnly = fetchesOnly;
    }

    @Override
    public ReceiveSource source() {
        return fetchesOnly ? new FetchSource(this) : this;
    }

    @Override
    public List<Integer> numbers() {
        return fetchesOnly ? List.of() : List.of(queue.number());
    }

    @Override
    public int domain() {
        return queue.domain();
    }

    @Override
    public boolean hasInitiator() {
        return queue.hasInitiator();
    }

    @Override
    public Optional<TagMatch> match(TagOpening opening, long cause) {
        Optional<TagMatch> match = queue.tags().match(opening, queuePair, cause);
        queue.raiseLimit();
        return match;
    }

    /** Writes the completions before it, since it may write one, too. */
    @Override
    public void putBack(TagMatch match) {
        dispatchCompletions();
        queue.tags().putBack(match, queuePair);
    }

    @Override
    public void fetch(FetchOrder order, long cause) {
        queue.fetch(order, cause);
    }

    @Override
    public int completed(TagMatch match, WorkCompletion completion, boolean last, boolean solicited) {
        WorkQueueFeed of = queue.tags().workQueue(match);
        if (of != workQueue) {
            dispatchCompletions();
            workQueue = of;
        }
        completions.add(completion, queue.tags().completed(match, last), null, solicited, null);
        return queue.completions().number();
    }

    @Override
    public void dispatchCompletions() {
        if (workQueue != null && !completions.isEmpty()) {
            queue.completions().complete(completions.take(workQueue));
        }
    }

    // rule tag-srq
    /** The completions remain in their queue. */
    @Override
    public void reset() {
        dispatchCompletions();
    }

    @Override
    public void leave() {
        dispatchCompletions();
    }
}
