// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.completion;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalInt;
import org.hcaactors.adapter.completion.Completions;
import org.hcaactors.adapter.completion.WorkQueueFeed;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.VerbsException;
import org.junit.jupiter.api.Test;

/** Stages whose completions are on their way to a completion queue that stops. */
class SubmittedBatchesTest {
    private static final VerbsException STOPPED = VerbsException.invalid("stopped");

    private final SubmittedBatches batches = new SubmittedBatches();
    private final WorkQueueFeed workQueue = new WorkQueueFeed(slots -> {});

    private Completions batchOf(Reply<WorkCompletion> stage) {
        WorkCompletion entry = WorkCompletion.of(1, Status.SUCCESS, CompletionKind.SEND, 7, 0, OptionalInt.empty());
        @SuppressWarnings({"unchecked", "rawtypes"})
        Reply<WorkCompletion>[] stages = new Reply[] {stage};
        return new Completions(new WorkCompletion[] {entry}, workQueue, new int[0], stages, new boolean[0]);
    }

    private static Reply<WorkCompletion> stage() {
        return new Reply<>(Runnable::run);
    }

    @Test
    void aBatchThatDidNotArriveFailsItsStages() {
        Reply<WorkCompletion> first = stage();
        Reply<WorkCompletion> second = stage();
        Completions arrived = batchOf(first);
        assertThat(batches.add(arrived)).isTrue();
        assertThat(batches.add(batchOf(second))).isTrue();
        batches.arrived(arrived);
        batches.end(STOPPED);
        assertThat(first.future()).as("the queue has it").isNotDone();
        assertThat(second.future())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCause(STOPPED);
    }

    @Test
    void noBatchIsAddedAfterTheEnd() {
        batches.end(STOPPED);
        assertThat(batches.add(batchOf(stage()))).isFalse();
    }
}
