// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import org.hcaactors.adapter.inline.Cargo;
import org.hcaactors.api.completion.WorkCompletion;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the ring.
 *
 * @param entry what the caller sees
 * @param feed where it comes from
 * @param slots how many it frees: its own, and those of unsignaled requests before it
 * @param solicited an arm for solicited entries means it
 */
public record Cqe(
        WorkCompletion entry,
        Feed feed,
        int slots,
        boolean solicited,
        @Nullable Cargo cargo) {
    Cqe(WorkCompletion entry, Feed feed, int slots, boolean solicited) {
        this(entry, feed, slots, solicited, null);
    }

    /** What the program that polls it gets; to be called once. */
    WorkCompletion polled() {
        return feed.polled(entry, cargo);
    }

    /** Its slots are free. */
    void free() {
        feed.release(slots);
    }

    /** Frees the slots of what was polled, at once for each run of one feed. */
    static void free(Cqe[] polled) {
        int slots = 0;
        for (int i = 0; i < polled.length; i++) {
            slots += polled[i].slots;
            if (i + 1 == polled.length || polled[i + 1].feed != polled[i].feed) {
                polled[i].feed.release(slots);
                slots = 0;
            }
        }
    }
}
