// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.api.completion.WorkCompletion;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a completion queue.
 *
 * @param entry the completion
 * @param workQueue its work queue
 * @param slots number of slots that it frees: its own, and those of unsignaled requests before it
 * @param solicited an arm for solicited entries counts it
 */
public record Cqe(
        WorkCompletion entry,
        WorkQueueFeed workQueue,
        int slots,
        boolean solicited,
        @Nullable InlineData inlineData) {
    Cqe(WorkCompletion entry, WorkQueueFeed workQueue, int slots, boolean solicited) {
        this(entry, workQueue, slots, solicited, null);
    }

    /** Returns what the polling program receives; call it once. */
    WorkCompletion polled() {
        return workQueue.polled(entry, inlineData);
    }

    /** Frees its slots. */
    void free() {
        workQueue.release(slots);
    }

    /** Frees the slots of polled entries, in one call for each run of entries of one feed. */
    static void free(Cqe[] polled) {
        int slots = 0;
        for (int i = 0; i < polled.length; i++) {
            slots += polled[i].slots;
            if (i + 1 == polled.length || polled[i + 1].workQueue != polled[i].workQueue) {
                polled[i].workQueue.release(slots);
                slots = 0;
            }
        }
    }
}
