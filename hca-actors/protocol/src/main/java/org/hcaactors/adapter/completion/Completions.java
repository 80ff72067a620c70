// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * Completions of one work queue in one turn, oldest first. They are stored as columns, so that the common batch allocates
 * nothing for each entry.
 *
 * @param entries the completions
 * @param workQueue their work queue
 * @param slots number of slots that each frees, or empty: one each
 * @param solicited for each whether its sender requested a solicited event, or empty: none
 * @param stages for each the {@code submit} that waits for it, if any, or empty: none
 */
public record Completions(
        WorkCompletion[] entries,
        WorkQueueFeed workQueue,
        int[] slots,
        @Nullable Reply<WorkCompletion>[] stages,
        boolean[] solicited,
        @Nullable InlineData[] inlineData)
        implements CompletionGrant {
    private static final @Nullable InlineData[] NONE = {};

    /** Creates completions without inline data. */
    public Completions(
            WorkCompletion[] entries,
            WorkQueueFeed workQueue,
            int[] slots,
            @Nullable Reply<WorkCompletion>[] stages,
            boolean[] solicited) {
        this(entries, workQueue, slots, stages, solicited, NONE);
    }

    @Override
    public int size() {
        return entries.length;
    }

    @Override
    public @Nullable WorkCompletion take(int index) {
        return workQueue.freeSlots(slotsOf(index)) ? workQueue.polled(entries[index], cargoOf(index)) : null;
    }

    @Override
    public Cqe at(int index) {
        return new Cqe(entries[index], workQueue, slotsOf(index), isSolicited(index), cargoOf(index));
    }

    /** True if an arm for solicited entries counts this one; errors always count (rule completion-arm-solicited). */
    boolean isSolicited(int index) {
        return solicited.length != 0 && solicited[index] || !entries[index].isSuccess();
    }

    int slotsOf(int index) {
        return slots.length == 0 ? 1 : slots[index];
    }

    @Nullable
    InlineData cargoOf(int index) {
        return inlineData.length == 0 ? null : inlineData[index];
    }

    /** True if a {@code submit} may wait for one of them. */
    public boolean hasStages() {
        return stages.length != 0;
    }

    @Nullable
    Reply<WorkCompletion> stageOf(int index) {
        return stages.length == 0 ? null : stages[index];
    }

    /** Fails the stages that wait for these completions, since they can't be written. */
    public void lose(VerbsException reason) {
        for (Reply<WorkCompletion> stage : stages) {
            if (stage != null) {
                stage.fail(reason);
            }
        }
    }
}
