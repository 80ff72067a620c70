// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.Arrays;
import org.hcaactors.adapter.completion.Completions;
import org.hcaactors.adapter.completion.WorkQueueFeed;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.WorkCompletion;
import org.jspecify.annotations.Nullable;

/** Completions of one work queue in one turn. */
final class CompletionBatch {
    private static final int[] ONE_EACH = {};
    private static final boolean[] UNSOLICITED = {};

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static final @Nullable Reply<WorkCompletion>[] NO_STAGES = new Reply[0];

    private static final @Nullable InlineData[] NO_CARGO = {};
    private static final @Nullable WorkCompletion[] NO_ENTRIES = {};
    private @Nullable WorkCompletion[] entries = NO_ENTRIES;
    private int[] slots = ONE_EACH;
    private @Nullable Reply<WorkCompletion>[] stages = NO_STAGES;
    private boolean[] solicited = UNSOLICITED;
    private @Nullable InlineData[] inlineData = NO_CARGO;
    private int size;
    private boolean manySlots;
    private boolean anyStage;
    private boolean anySolicited;
    private boolean anyCargo;

    boolean isEmpty() {
        return size == 0;
    }

    /** Columns that few completions use are allocated by the first completion that uses them. */
    void add(
            WorkCompletion completion,
            int slotCount,
            @Nullable Reply<WorkCompletion> stage,
            boolean isSolicited,
            @Nullable InlineData carried) {
        if (size == entries.length) {
            entries = Arrays.copyOf(entries, Math.max(16, 2 * size));
        }
        entries[size] = completion;
        if (manySlots || slotCount != 1) {
            addSlots(slotCount);
        }
        if (anyStage || stage != null) {
            stages = stages.length < entries.length ? Arrays.copyOf(stages, entries.length) : stages;
            stages[size] = stage;
            anyStage = true;
        }
        if (anySolicited || isSolicited) {
            solicited = solicited.length < entries.length ? Arrays.copyOf(solicited, entries.length) : solicited;
            solicited[size] = isSolicited;
            anySolicited = true;
        }
        if (anyCargo || carried != null) {
            inlineData = inlineData.length < entries.length ? Arrays.copyOf(inlineData, entries.length) : inlineData;
            inlineData[size] = carried;
            anyCargo = true;
        }
        size++;
    }

    private void addSlots(int slotCount) {
        slots = slots.length < entries.length ? Arrays.copyOf(slots, entries.length) : slots;
        if (!manySlots) {
            Arrays.fill(slots, 0, size, 1);
            manySlots = true;
        }
        slots[size] = slotCount;
    }

    /** Returns the collected completions and empties the batch. */
    @SuppressWarnings("NullAway") // entries below size are never null
    Completions take(WorkQueueFeed workQueue) {
        WorkCompletion[] taken = Arrays.copyOf(entries, size);
        Completions batch = new Completions(
                taken,
                workQueue,
                manySlots ? Arrays.copyOf(slots, size) : ONE_EACH,
                anyStage ? Arrays.copyOf(stages, size) : NO_STAGES,
                anySolicited ? Arrays.copyOf(solicited, size) : UNSOLICITED,
                anyCargo ? Arrays.copyOf(inlineData, size) : NO_CARGO);
        Arrays.fill(entries, 0, size, null);
        Arrays.fill(stages, 0, anyStage ? size : 0, null);
        Arrays.fill(solicited, 0, anySolicited ? size : 0, false);
        Arrays.fill(inlineData, 0, anyCargo ? size : 0, null);
        size = 0;
        manySlots = false;
        anyStage = false;
        anySolicited = false;
        anyCargo = false;
        return batch;
    }
}
