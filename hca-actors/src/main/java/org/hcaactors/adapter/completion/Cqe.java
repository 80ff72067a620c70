package org.hcaactors.adapter.completion;

import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.WorkCompletion;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the ring.
 *
 * @param entry what the caller sees
 * @param owner whose slots it frees
 * @param slots how many: its own, and those of unsignaled requests before it
 * @param stage where {@code submit} waits for it, if it does
 */
public record Cqe(WorkCompletion entry, SlotOwner owner, int slots, @Nullable Reply<WorkCompletion> stage) {
    WorkCompletion take() {
        owner.release(slots);
        return entry;
    }
}
