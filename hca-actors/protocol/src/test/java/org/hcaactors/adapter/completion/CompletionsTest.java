// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.VerbsException;
import org.junit.jupiter.api.Test;

/** A batch's values for each entry, column by column. */
@SuppressWarnings("unchecked")
class CompletionsTest {
    private final AtomicInteger freed = new AtomicInteger();
    private final WorkQueueFeed workQueue = new WorkQueueFeed(freed::addAndGet);
    private final WorkCompletion[] entries = {
        entry(1, Status.SUCCESS), entry(2, Status.SUCCESS), entry(3, Status.REM_OP_ERR)
    };

    private static WorkCompletion entry(long id, Status status) {
        return WorkCompletion.of(id, status, CompletionKind.SEND, 3, 0, OptionalInt.empty());
    }

    // rule completion-arm-solicited
    @Test
    void anEntryIsSolicitedIfItsSenderAskedOrItIsAnError() {
        Completions some =
                new Completions(entries, workQueue, new int[0], new Reply[0], new boolean[] {true, false, false});
        assertThat(some.isSolicited(0)).isTrue();
        assertThat(some.isSolicited(1)).isFalse();
        assertThat(some.isSolicited(2)).isTrue();
        Completions none = new Completions(entries, workQueue, new int[0], new Reply[0], new boolean[0]);
        assertThat(none.isSolicited(0)).isFalse();
    }

    @Test
    void deliveringAnEntryFreesItsSlotsAndAResetDiscardsIt() {
        Completions batch = new Completions(entries, workQueue, new int[] {1, 4, 2}, new Reply[0], new boolean[0]);
        assertThat(batch.take(1)).isSameAs(entries[1]);
        assertThat(freed).hasValue(4);
        assertThat(batch.at(2)).isEqualTo(new Cqe(entries[2], workQueue, 2, true));
        workQueue.withdraw();
        assertThat(batch.take(0)).isNull();
        assertThat(freed).hasValue(5);
    }

    @Test
    void aWaitForALostEntryFails() {
        Reply<WorkCompletion> waiting = new Reply<>(Runnable::run);
        Reply<WorkCompletion>[] stages = new Reply[] {null, waiting, null};
        Completions batch = new Completions(entries, workQueue, new int[0], stages, new boolean[0]);
        batch.lose(VerbsException.invalid("lost"));
        assertThat(waiting.stage().toCompletableFuture()).isCompletedExceptionally();
    }
}
