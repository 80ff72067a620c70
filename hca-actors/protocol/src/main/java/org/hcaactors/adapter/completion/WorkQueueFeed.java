// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import org.hcaactors.adapter.inline.InlineCopier;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * A work queue between two resets, as seen by its completion queue: the owner of the slots, and the number of its entries in
 * the ring, so that purging costs the same for one entry as for a thousand.
 */
public class WorkQueueFeed {
    private final SlotOwner owner;
    private volatile boolean withdrawn;

    // The following fields belong to the completion queue's ring, whose lock guards them.
    private int entries;

    @MutationPoint("work-queue-feed.slots")
    private int slots;

    private int solicited;
    private boolean purged;

    /** Creates a feed of completions without inline data. */
    public WorkQueueFeed(SlotOwner owner) {
        this.owner = owner;
    }

    /** @param copier copies the inline data when a completion is polled */
    public static WorkQueueFeed carrying(SlotOwner owner, InlineCopier copier) {
        return new Carrying(owner, copier);
    }

    /** A feed with inline data, which few queue pairs have. */
    private static final class Carrying extends WorkQueueFeed {
        @MutationPoint("feed.carrying.landing")
        private final InlineCopier copier;

        Carrying(SlotOwner owner, InlineCopier copier) {
            super(owner);
            this.copier = copier;
        }

        @Override
        @MutationPoint("feed.carrying.landed")
        WorkCompletion copied(WorkCompletion entry, InlineData inlineData) {
            return copier.copy(entry, inlineData);
        }
    }

    // rule inline-poll
    /** Returns what the polling program receives. Any thread. */
    final WorkCompletion polled(WorkCompletion entry, @Nullable InlineData inlineData) {
        return inlineData == null ? entry : copied(entry, inlineData);
    }

    WorkCompletion copied(WorkCompletion entry, InlineData inlineData) {
        throw new IllegalStateException("completion " + entry.workId()
                + " carries inline data, which this work queue does not accept: " + inlineData.bytes());
    }

    /** The queue pair was reset or destroyed: from now on no subscriber receives its completions. Any thread. */
    public void withdraw() {
        withdrawn = true;
    }

    /** True after {@link #withdraw}. Any thread. */
    public boolean isWithdrawn() {
        return withdrawn;
    }

    /** Frees the slots of an entry that leaves the completion queue. Any thread. */
    void release(int count) {
        owner.release(count);
    }

    /** Frees the slots of an entry on its way to a subscriber; returns false if it must not be delivered. Any thread. */
    boolean freeSlots(int count) {
        owner.release(count);
        return !withdrawn;
    }

    void entered(Cqe cqe) {
        count(cqe, 1);
    }

    void removed(Cqe cqe) {
        count(cqe, -1);
    }

    private void count(Cqe cqe, int change) {
        entries += change;
        slots += change * cqe.slots();
        solicited += cqe.solicited() ? change : 0;
    }

    /** Number of entries in the ring. */
    int entries() {
        return entries;
    }

    int solicited() {
        return solicited;
    }

    /** Counts all its entries as removed; no later entry is accepted. */
    @MutationPoint("work-queue-feed.purge")
    void purge() {
        purged = true;
        owner.release(slots);
        entries = 0;
        slots = 0;
        solicited = 0;
    }

    boolean isPurged() {
        return purged;
    }
}
