// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.api.completion.WorkCompletion;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the ring.
 *
 * @param entry what the caller sees
 * @param workQueue where it comes from
 * @param slots how many it frees: its own, and those of unsignaled requests before it
 * @param solicited an arm for solicited entries means it
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

    /** What the program that polls it gets; to be called once. */
    WorkCompletion polled() {
        return workQueue.polled(entry, inlineData);
    }

    /** Its slots are free. */
    void free() {
        workQueue.release(slots);
    }

    /** Frees the slots of what was polled, at once for each run of one feed. */
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
