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
public record Cqe(
        WorkCompletion entry,
        SlotOwner owner,
        int slots,
        @Nullable Reply<WorkCompletion> stage) {
    /** Frees the slots of a batch, as one call of ibv_poll_cq does for all entries that it hands over. */
    static void taken(Cqe[] batch) {
        SlotOwner owner = null;
        int slots = 0;
        for (Cqe cqe : batch) {
            if (cqe.owner != owner) {
                release(owner, slots);
                owner = cqe.owner;
                slots = 0;
            }
            slots += cqe.slots;
        }
        release(owner, slots);
    }

    private static void release(@Nullable SlotOwner owner, int slots) {
        if (owner != null && slots > 0) {
            owner.release(slots);
        }
    }

    /** This entry, back from a subscriber that cancelled: its slots are free already. */
    Cqe again() {
        return new Cqe(entry, owner, 0, stage);
    }
}
