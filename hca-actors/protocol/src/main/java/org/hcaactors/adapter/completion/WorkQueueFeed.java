// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import org.hcaactors.adapter.inline.InlineCopier;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * A work queue between two resets, as the completion queue that it feeds knows it: whose slots its entries free, and how
 * many of them stand there, so that taking them out costs the same for one as for a thousand.
 */
public class WorkQueueFeed {
    private final SlotOwner owner;
    private volatile boolean withdrawn;

    // The rest belongs to the completion queue's thread.
    private int entries;

    @MutationPoint("work-queue-feed.slots")
    private int slots;

    private int solicited;
    private boolean purged;

    /** Of completions that carry nothing. */
    public WorkQueueFeed(SlotOwner owner) {
        this.owner = owner;
    }

    /** @param landing where what its completions carry is copied when they are polled */
    public static WorkQueueFeed carrying(SlotOwner owner, InlineCopier landing) {
        return new Carrying(owner, landing);
    }

    /** Few queue pairs have one. */
    private static final class Carrying extends WorkQueueFeed {
        @MutationPoint("feed.carrying.landing")
        private final InlineCopier landing;

        Carrying(SlotOwner owner, InlineCopier landing) {
            super(owner);
            this.landing = landing;
        }

        @Override
        @MutationPoint("feed.carrying.landed")
        WorkCompletion landed(WorkCompletion entry, InlineData inlineData) {
            return landing.land(entry, inlineData);
        }
    }

    // rule inline-poll
    /** What the program that polls gets. Any thread. */
    final WorkCompletion polled(WorkCompletion entry, @Nullable InlineData inlineData) {
        return inlineData == null ? entry : landed(entry, inlineData);
    }

    WorkCompletion landed(WorkCompletion entry, InlineData inlineData) {
        throw new IllegalStateException("completion " + entry.workId() + " carries " + inlineData.bytes());
    }

    /** The queue pair was reset or destroyed: from now on no subscriber is handed anything of it. Any thread. */
    public void withdraw() {
        withdrawn = true;
    }

    /** An entry leaves the completion queue, and its slots are free. Any thread. */
    void release(int count) {
        owner.release(count);
    }

    /** The same for an entry on its way to a subscriber; false if it must not get there. Any thread. */
    boolean handOut(int count) {
        owner.release(count);
        return !withdrawn;
    }

    void entered(Cqe cqe) {
        count(cqe, 1);
    }

    void left(Cqe cqe) {
        count(cqe, -1);
    }

    private void count(Cqe cqe, int change) {
        entries += change;
        slots += change * cqe.slots();
        solicited += cqe.solicited() ? change : 0;
    }

    /** Entries that stand in the ring. */
    int entries() {
        return entries;
    }

    int solicited() {
        return solicited;
    }

    /** Every entry of it counts as taken out, and nothing of it enters any more. */
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
