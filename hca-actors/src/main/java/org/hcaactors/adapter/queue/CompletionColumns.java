package org.hcaactors.adapter.queue;

import java.util.Arrays;
import org.hcaactors.adapter.completion.Completions;
import org.hcaactors.adapter.completion.SlotOwner;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.WorkCompletion;
import org.jspecify.annotations.Nullable;

/** Collects one work queue's completions of one turn. */
final class CompletionColumns {
    private static final int[] ONE_EACH = {};

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static final @Nullable Reply<WorkCompletion>[] NO_STAGES = new Reply[0];

    private @Nullable WorkCompletion[] entries = new WorkCompletion[0];
    private int[] slots = ONE_EACH;
    private @Nullable Reply<WorkCompletion>[] stages = NO_STAGES;
    private int size;
    private boolean manySlots;
    private boolean anyStage;

    boolean isEmpty() {
        return size == 0;
    }

    void add(WorkCompletion completion, int slotCount, @Nullable Reply<WorkCompletion> stage) {
        if (size == entries.length) {
            int larger = Math.max(16, 2 * size);
            entries = Arrays.copyOf(entries, larger);
            slots = Arrays.copyOf(slots, larger);
            stages = Arrays.copyOf(stages, larger);
        }
        manySlots |= slotCount != 1;
        anyStage |= stage != null;
        entries[size] = completion;
        slots[size] = slotCount;
        stages[size] = stage;
        size++;
    }

    /** What was collected; the columns are empty afterwards. */
    @SuppressWarnings("NullAway") // entries below size are never null
    Completions take(SlotOwner owner) {
        WorkCompletion[] taken = Arrays.copyOf(entries, size);
        Completions batch = new Completions(
                taken,
                owner,
                manySlots ? Arrays.copyOf(slots, size) : ONE_EACH,
                anyStage ? Arrays.copyOf(stages, size) : NO_STAGES);
        Arrays.fill(entries, 0, size, null);
        Arrays.fill(stages, 0, anyStage ? size : 0, null);
        size = 0;
        manySlots = false;
        anyStage = false;
        return batch;
    }
}
