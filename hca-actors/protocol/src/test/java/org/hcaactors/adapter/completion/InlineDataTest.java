// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.fabric.packet.Octets;
import org.junit.jupiter.api.Test;

/** Inline data is copied once, when the program receives the completion, and never if it does not (rule inline-poll). */
@SuppressWarnings("unchecked")
class InlineDataTest {
    private final List<Long> landed = new ArrayList<>();
    private final WorkQueueFeed workQueue = WorkQueueFeed.carrying(slots -> {}, (entry, inlineData) -> {
        landed.add(entry.workId());
        return entry.workId() == 3 ? entry(33) : entry;
    });
    private final Told told = new Told();

    /** Records the completions delivered, and when. */
    private final class Told extends QuietEffects {
        int demand;
        final List<CompletionGrant> grants = new ArrayList<>();

        @Override
        public int demand() {
            return demand;
        }

        @Override
        public void grant(CompletionGrant grant) {
            demand -= grant.size();
            grants.add(grant);
        }

        @Override
        public void complete(Reply<WorkCompletion> stage, WorkCompletion entry) {
            stage.succeed(entry);
        }
    }

    private static WorkCompletion entry(long id) {
        return WorkCompletion.of(id, Status.SUCCESS, CompletionKind.RECV, 3, 8, OptionalInt.empty());
    }

    private static CompletionQueueMachine machine(int capacity, boolean ignoreOverrun) {
        return new CompletionQueueMachine(new CompletionQueueMachine.Rules(capacity, ignoreOverrun, true, false, 0));
    }

    private Completions batch(long... ids) {
        return batch(new Reply[0], ids);
    }

    private Completions batch(Reply<WorkCompletion>[] stages, long... ids) {
        WorkCompletion[] entries = new WorkCompletion[ids.length];
        InlineData[] inlineData = new InlineData[ids.length];
        for (int i = 0; i < ids.length; i++) {
            entries[i] = entry(ids[i]);
            inlineData[i] = ids[i] % 10 == 0 ? null : new InlineData(List.of(), Octets.NONE, 0);
        }
        return new Completions(entries, workQueue, new int[0], stages, new boolean[0], inlineData);
    }

    @Test
    void inlineDataIsCopiedOnPollAndThePolledEntryHasTheResult() {
        CompletionQueueMachine machine = machine(8, false);
        machine.completed(batch(1, 10, 3), 0, told);
        assertThat(landed).isEmpty();
        assertThat(machine.take(2)).containsExactly(entry(1), entry(10));
        assertThat(landed).containsExactly(1L);
        assertThat(machine.take(2)).containsExactly(entry(33));
        assertThat(landed).containsExactly(1L, 3L);
    }

    @Test
    void inlineDataIsCopiedOnHandOutAlsoWithEarlierDemand() {
        CompletionQueueMachine machine = machine(8, false);
        told.demand = 3;
        machine.completed(batch(1, 10, 3), 0, told);
        assertThat(landed).isEmpty();
        CompletionGrant grant = told.grants.getFirst();
        assertThat(grant.take(0)).isEqualTo(entry(1));
        assertThat(landed).containsExactly(1L);
        assertThat(grant.take(1)).isEqualTo(entry(10));
        assertThat(grant.take(2)).isEqualTo(entry(33));
        assertThat(landed).containsExactly(1L, 3L);
    }

    @Test
    void inlineDataGrantedFromTheRingIsCopiedOnHandOut() {
        CompletionQueueMachine machine = machine(8, false);
        machine.completed(batch(1, 3), 0, told);
        told.demand = 2;
        machine.grant(told);
        assertThat(landed).isEmpty();
        CompletionGrant grant = told.grants.getFirst();
        assertThat(grant.take(0)).isEqualTo(entry(1));
        assertThat(grant.take(1)).isEqualTo(entry(33));
        assertThat(landed).containsExactly(1L, 3L);
    }

    @Test
    void anUndeliveredEntryKeepsItsInlineDataForALaterPoll() {
        CompletionQueueMachine machine = machine(8, false);
        told.demand = 2;
        machine.completed(batch(1, 3), 0, told);
        CompletionGrant grant = told.grants.getFirst();
        grant.take(0);
        machine.delivered(1);
        machine.returnUndelivered(told);
        assertThat(landed).containsExactly(1L);
        assertThat(machine.take(9)).containsExactly(entry(33));
        assertThat(landed).containsExactly(1L, 3L);
    }

    @Test
    void aStageCompletesBehindTheCopy() {
        Reply<WorkCompletion> stage = new Reply<>(Runnable::run);
        machine(8, false).completed(batch(new Reply[] {stage}, 3), 0, told);
        assertThat(landed).containsExactly(3L);
        assertThat(stage.stage().toCompletableFuture()).isCompletedWithValue(entry(33));
    }

    @Test
    void purgedWithdrawnOrOverwrittenInlineDataIsNeverCopied() {
        CompletionQueueMachine small = machine(1, true);
        small.completed(batch(1, 2), 0, told);
        assertThat(small.take(9)).containsExactly(entry(2));
        assertThat(landed).containsExactly(2L);
        CompletionQueueMachine machine = machine(8, false);
        machine.completed(batch(4), 0, told);
        told.demand = 1;
        machine.grant(told);
        machine.completed(batch(5), 0, told);
        workQueue.withdraw();
        machine.purge(workQueue, told);
        CompletionGrant grant = told.grants.getFirst();
        assertThat(grant.take(0)).isNull();
        assertThat(machine.take(9)).isEmpty();
        assertThat(landed).containsExactly(2L);
    }
}
