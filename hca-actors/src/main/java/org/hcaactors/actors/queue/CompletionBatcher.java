// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import org.hcaactors.actors.completion.CompletionQueueHandle;
import org.hcaactors.adapter.completion.WorkQueueFeed;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.WorkCompletion;
import org.jspecify.annotations.Nullable;

/**
 * Batcher of the completions of a work queue. Created by the first completion after a reset, so that idle queues take no
 * memory.
 */
final class CompletionBatcher {
    private final CompletionQueueHandle queue;
    private final WorkQueueFeed workQueue;
    private final CompletionBatch ofThisTurn = new CompletionBatch();

    CompletionBatcher(CompletionQueueHandle queue, WorkQueueFeed workQueue) {
        this.queue = queue;
        this.workQueue = workQueue;
    }

    void add(
            WorkCompletion completion,
            int slots,
            @Nullable Reply<WorkCompletion> stage,
            boolean solicited,
            @Nullable InlineData inlineData) {
        ofThisTurn.add(completion, slots, stage, solicited, inlineData);
    }

    void dispatch() {
        if (!ofThisTurn.isEmpty()) {
            queue.complete(ofThisTurn.take(workQueue));
        }
    }

    /** Removes the work queue's entries from the completion queue. */
    void purge() {
        queue.purge(workQueue);
    }
}
