// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import java.util.Arrays;
import java.util.Objects;
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

    /**
     * Frees the slots of the first {@code count} entries, in one call for each run of entries of one feed. Removes entries that
     * must not be delivered; returns the number of the others.
     */
    static int free(@Nullable Cqe[] polled, int count) {
        int kept = 0;
        int slots = 0;
        int begin = 0;
        for (int i = 0; i < count; i++) {
            Cqe cqe = at(polled, i);
            slots += cqe.slots;
            if (i + 1 == count || at(polled, i + 1).workQueue != cqe.workQueue) {
                if (cqe.workQueue.freeSlots(slots)) {
                    System.arraycopy(polled, begin, polled, kept, i + 1 - begin);
                    kept += i + 1 - begin;
                }
                begin = i + 1;
                slots = 0;
            }
        }
        Arrays.fill(polled, kept, count, null);
        return kept;
    }

    private static Cqe at(@Nullable Cqe[] polled, int index) {
        return Objects.requireNonNull(polled[index]);
    }
}
