package org.hcaactors.adapter.completion;

import org.hcaactors.api.completion.WorkCompletion;

/**
 * An entry of the ring.
 *
 * @param entry what the caller sees
 * @param owner whose slots it frees when it is polled
 * @param slots how many: its own, and those of unsignaled requests before it
 * @param solicited an arm for solicited entries means it
 */
record Cqe(WorkCompletion entry, SlotOwner owner, int slots, boolean solicited) {
    private static final SlotOwner NOBODY = slots -> {};

    /** An entry that comes back from a subscriber that cancelled: its slots are free already. */
    static Cqe again(WorkCompletion entry) {
        return new Cqe(entry, NOBODY, 0, false);
    }

    /** Frees the slots of what was polled, at once for each run of one owner. */
    static void free(Cqe[] polled) {
        SlotOwner owner = NOBODY;
        int slots = 0;
        for (Cqe cqe : polled) {
            if (cqe.owner != owner) {
                owner.release(slots);
                owner = cqe.owner;
                slots = 0;
            }
            slots += cqe.slots;
        }
        owner.release(slots);
    }
}
