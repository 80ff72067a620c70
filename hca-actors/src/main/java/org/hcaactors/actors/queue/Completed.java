// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import org.hcaactors.actors.completion.CompletionQueueHandle;
import org.hcaactors.adapter.completion.Feed;
import org.hcaactors.adapter.inline.Cargo;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.WorkCompletion;
import org.jspecify.annotations.Nullable;

/** What a work queue completes, from its first completion after a reset on: a queue that stands idle has none of this. */
final class Completed {
    private final CompletionQueueHandle queue;
    private final Feed feed;
    private final CompletionColumns ofThisTurn = new CompletionColumns();

    Completed(CompletionQueueHandle queue, Feed feed) {
        this.queue = queue;
        this.feed = feed;
    }

    void add(
            WorkCompletion completion,
            int slots,
            @Nullable Reply<WorkCompletion> stage,
            boolean solicited,
            @Nullable Cargo cargo) {
        ofThisTurn.add(completion, slots, stage, solicited, cargo);
    }

    void dispatch() {
        if (!ofThisTurn.isEmpty()) {
            queue.complete(ofThisTurn.take(feed));
        }
    }

    /** Its entries leave the completion queue. */
    void purge() {
        queue.purge(feed);
    }
}
