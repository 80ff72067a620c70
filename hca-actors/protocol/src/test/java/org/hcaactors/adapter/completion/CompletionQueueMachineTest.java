// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.CompletionQueue.Arm;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.junit.jupiter.api.Test;

/** The rules of a completion queue (the page completion of the rule book), without its actor: inputs and effects. */
class CompletionQueueMachineTest {
    /** Records the machine's effects as text. */
    private static final class Told implements CqEffects {
        final List<String> said = new ArrayList<>();
        final List<CompletionGrant> grants = new ArrayList<>();
        int demand;
        boolean observed = true;

        @Override
        public int demand() {
            return demand;
        }

        @Override
        public boolean observed() {
            return observed;
        }

        @Override
        public void written(WorkCompletion entry, boolean solicited) {
            said.add("written " + entry.workId() + (solicited ? " solicited" : ""));
        }

        @Override
        public void grant(CompletionGrant grant) {
            demand -= grant.size();
            grants.add(grant);
            said.add("granted "
                    + ids(IntStream.range(0, grant.size())
                            .mapToObj(i -> grant.at(i).entry())
                            .toArray(WorkCompletion[]::new)));
        }

        @Override
        public void complete(Reply<WorkCompletion> stage, WorkCompletion entry) {
            said.add("completed " + entry.workId());
        }

        @Override
        public void lose(Reply<WorkCompletion> stage) {
            said.add("lost");
        }

        @Override
        public void removed(int entries) {
            said.add("taken " + entries);
        }

        @Override
        public void returned(int entries) {
            said.add("returned " + entries);
        }

        @Override
        public void produced(long index) {}

        @Override
        public void wake() {
            said.add("woken");
        }

        @Override
        public void overrun(Reason reason) {
            said.add("overrun " + ReasonTexts.of(reason));
        }

        @Override
        public void failed() {
            said.add("failed");
        }

        List<String> heard() {
            List<String> now = List.copyOf(said);
            said.clear();
            return now;
        }
    }

    private final Told told = new Told();
    private int freed;
    private final WorkQueueFeed workQueue = new WorkQueueFeed(slots -> freed += slots);

    private static CompletionQueueMachine machine(int capacity, boolean ignoreOverrun, boolean fatal) {
        return new CompletionQueueMachine(new CompletionQueueMachine.Rules(capacity, ignoreOverrun, fatal, false, 0));
    }

    private static List<Long> ids(WorkCompletion[] entries) {
        return Arrays.stream(entries).map(WorkCompletion::workId).toList();
    }

    @SuppressWarnings("unchecked")
    private Completions batch(Status status, long... ids) {
        WorkCompletion[] entries = Arrays.stream(ids)
                .mapToObj(id -> WorkCompletion.of(id, status, CompletionKind.SEND, 3, 0, OptionalInt.empty()))
                .toArray(WorkCompletion[]::new);
        return new Completions(entries, workQueue, new int[0], new Reply[0], new boolean[0]);
    }

    private Completions batch(long... ids) {
        return batch(Status.SUCCESS, ids);
    }

    private void completed(CompletionQueueMachine machine, long... ids) {
        machine.completed(batch(ids), 0, told);
    }

    // --- polling ---

    @Test
    void entriesAreKeptInOrderAndTheirSlotsFreedWhenPolled() {
        CompletionQueueMachine machine = machine(8, false, true);
        completed(machine, 1, 2);
        completed(machine, 3);
        assertThat(machine.size()).isEqualTo(3);
        assertThat(freed).isZero();
        assertThat(ids(machine.take(2))).containsExactly(1L, 2L);
        assertThat(freed).isEqualTo(2);
        assertThat(ids(machine.take(2))).containsExactly(3L);
        assertThat(told.heard()).containsExactly("written 1", "written 2", "written 3");
    }

    @Test
    void aBatchWithinTheDemandBypassesTheRing() {
        CompletionQueueMachine machine = machine(8, false, true);
        told.demand = 2;
        Completions batch = batch(1, 2);
        machine.completed(batch, 0, told);
        assertThat(told.grants).containsExactly(batch);
        assertThat(told.heard()).containsExactly("written 1", "written 2", "granted [1, 2]");
        assertThat(machine.size()).isZero();
        assertThat(machine.resize(1)).as("two are on their way").isFalse();
        machine.delivered(2);
        assertThat(machine.resize(1)).isTrue();
    }

    @Test
    void entriesAreNotReportedWithoutObservers() {
        CompletionQueueMachine machine = machine(8, false, true);
        told.demand = 1;
        told.observed = false;
        completed(machine, 1);
        assertThat(told.heard()).containsExactly("granted [1]");
    }

    @Test
    void demandIsGrantedInPartAsEntriesAreWritten() {
        CompletionQueueMachine machine = machine(8, false, true);
        told.demand = 2;
        completed(machine, 1, 2, 3);
        assertThat(told.heard()).containsExactly("written 1", "written 2", "written 3", "granted [1, 2]");
        assertThat(told.grants.getFirst().at(0).entry().timestampTicks()).isEmpty();
        told.demand = 5;
        completed(machine, 4);
        assertThat(told.heard()).containsExactly("written 4", "granted [3, 4]");
        told.demand = 1;
        machine.grant(told);
        assertThat(told.heard()).isEmpty();
    }

    // rule completion-place
    @Test
    void entriesThatASubscriberWasNotHandedArePolledLater() {
        CompletionQueueMachine machine = machine(8, false, true);
        told.demand = 3;
        completed(machine, 1, 2, 3);
        machine.delivered(1);
        told.heard();
        machine.returnUndelivered(told);
        assertThat(told.heard()).containsExactly("returned 2");
        assertThat(ids(machine.take(9))).containsExactly(2L, 3L);
    }

    @Test
    void purgeRemovesTheEntriesOfTheFeed() {
        CompletionQueueMachine machine = machine(8, false, true);
        completed(machine, 1, 2);
        told.heard();
        machine.purge(workQueue, told);
        assertThat(told.heard()).containsExactly("taken 2");
        assertThat(machine.size()).isZero();
        assertThat(freed).isEqualTo(2);
    }

    // --- stages ---

    @Test
    void anEntryThatAStageWaitsForIsTakenAtOnceAndTheOthersStay() {
        CompletionQueueMachine machine = machine(8, false, true);
        machine.completed(withStage(1, 2), 0, told);
        assertThat(told.heard()).containsExactly("written 1", "taken 1", "completed 1", "written 2");
        assertThat(ids(machine.take(9))).containsExactly(2L);
        assertThat(freed).isEqualTo(2);
    }

    @SuppressWarnings("unchecked")
    private Completions withStage(long staged, long... others) {
        Completions plain = batch(IntStream.range(0, others.length + 1)
                .mapToLong(i -> i == 0 ? staged : others[i - 1])
                .toArray());
        Reply<WorkCompletion>[] stages = new Reply[others.length + 1];
        stages[0] = new Reply<>(Runnable::run);
        return new Completions(plain.entries(), workQueue, new int[0], stages, new boolean[0]);
    }

    // --- overrun ---

    // rule completion-overrun
    @Test
    void anOverrunIsReportedAndFailsTheQueue() {
        CompletionQueueMachine machine = machine(2, false, true);
        completed(machine, 1, 2, 3);
        assertThat(told.heard())
                .containsExactly(
                        "written 1",
                        "written 2",
                        "overrun of its 2 entries 2 wait to be polled and 0 are on their way to a subscriber; "
                                + "the completion of request 3 of qp3 did not fit",
                        "failed");
        assertThat(machine.hasFailed()).isTrue();
        machine.completed(withStage(4), 0, told);
        told.demand = 1;
        machine.grant(told);
        machine.fail(told);
        assertThat(told.heard()).containsExactly("lost");
    }

    // rule completion-overrun
    @Test
    void aNonfatalOverrunLosesTheEntryAndTheQueueContinues() {
        CompletionQueueMachine machine = machine(1, false, false);
        completed(machine, 1);
        machine.completed(withStage(2), 0, told);
        assertThat(machine.hasFailed()).isFalse();
        assertThat(told.heard()).endsWith("lost").doesNotContain("written 2");
        assertThat(freed).isEqualTo(1);
        assertThat(ids(machine.take(9))).containsExactly(1L);
        completed(machine, 3);
        assertThat(ids(machine.take(9))).containsExactly(3L);
    }

    // rule completion-overrun-asked
    @Test
    void demandFromBeforeAnOverrunIsStillGranted() {
        CompletionQueueMachine machine = machine(2, false, true);
        told.demand = 1;
        completed(machine, 1, 2, 3);
        assertThat(told.heard().stream().map(said -> said.replaceFirst("overrun .*", "overrun")))
                .containsExactly("written 1", "written 2", "granted [1]", "overrun", "failed");
    }

    private void arm(CompletionQueueMachine machine, Arm what) {
        if (machine.arm(what)) {
            told.wake();
        }
    }

    @Test
    void anEntryThatIsNotWrittenWakesNoThread() {
        for (boolean fatal : new boolean[] {false, true}) {
            CompletionQueueMachine machine = machine(1, false, fatal);
            completed(machine, 1);
            arm(machine, Arm.ANY);
            completed(machine, 2, 3);
            assertThat(told.heard()).doesNotContain("woken");
            assertThat(machine.needsTime()).as("still armed").isTrue();
        }
    }

    // rule completion-overrun-ignored
    @Test
    void anIgnoredOverrunOverwritesTheOldestEntry() {
        CompletionQueueMachine machine = machine(2, true, true);
        completed(machine, 1, 2, 3);
        assertThat(told.heard()).containsExactly("written 1", "written 2", "taken 1", "written 3");
        assertThat(ids(machine.take(9))).containsExactly(2L, 3L);
        assertThat(freed).isEqualTo(3);
    }

    @Test
    void anIgnoredOverrunDropsTheNewEntryIfAllOthersAreGranted() {
        CompletionQueueMachine machine = machine(1, true, true);
        told.demand = 1;
        completed(machine, 1);
        told.heard();
        completed(machine, 2);
        assertThat(told.heard()).containsExactly("written 2", "taken 1");
        assertThat(machine.hasFailed()).isFalse();
        assertThat(machine.size()).isZero();
        assertThat(freed).isEqualTo(1);
    }

    // --- notification ---

    // rule completion-arm-once
    @Test
    void anArmedQueueWakesOnceInsideAndOutsideTheRing() {
        for (int demand : new int[] {0, 9}) {
            CompletionQueueMachine machine = machine(8, false, true);
            told.demand = demand;
            arm(machine, Arm.ANY);
            assertThat(machine.needsTime()).isTrue();
            completed(machine, 1, 2);
            completed(machine, 3);
            assertThat(told.heard()).containsOnlyOnce("woken");
            assertThat(machine.needsTime()).isFalse();
        }
    }

    // rule completion-arm-solicited
    @Test
    void armingForSolicitedEntriesIgnoresOthersAndReportsErrors() {
        CompletionQueueMachine machine = machine(8, false, true);
        arm(machine, Arm.SOLICITED);
        completed(machine, 1);
        assertThat(told.heard()).doesNotContain("woken");
        machine.completed(batch(Status.WR_FLUSH_ERR, 2), 0, told);
        assertThat(told.heard()).containsExactly("written 2 solicited", "woken");
    }

    // rule completion-arm-forward
    @Test
    void armChecksExistingEntriesOnlyIfTheAdapterDoes() {
        for (boolean fires : new boolean[] {false, true}) {
            CompletionQueueMachine machine =
                    new CompletionQueueMachine(new CompletionQueueMachine.Rules(8, false, true, fires, 0));
            completed(machine, 1);
            told.heard();
            arm(machine, Arm.SOLICITED);
            assertThat(told.heard()).as("nothing solicited stands there").isEmpty();
            arm(machine, Arm.ANY);
            assertThat(told.heard()).hasSize(fires ? 1 : 0);
        }
    }

    // rule completion-arm-forward
    @Test
    void anArmDoesNotReportAnEntryOfAnEarlierEvent() {
        CompletionQueueMachine machine =
                new CompletionQueueMachine(new CompletionQueueMachine.Rules(8, false, true, true, 0));
        arm(machine, Arm.ANY);
        completed(machine, 1);
        assertThat(told.heard()).contains("woken");
        arm(machine, Arm.ANY);
        assertThat(told.heard()).as("the event was that of this entry").isEmpty();
        completed(machine, 2);
        assertThat(told.heard()).contains("woken");
        completed(machine, 3);
        told.heard();
        arm(machine, Arm.ANY);
        assertThat(told.heard()).containsExactly("woken");
    }

    // rule completion-moderation
    @Test
    void moderationWaitsForItsCountOrItsPeriod() {
        CompletionQueueMachine machine = machine(8, false, true);
        machine.moderate(2, 1000, 0, told);
        arm(machine, Arm.ANY);
        machine.completed(batch(1), 50, told);
        assertThat(machine.nextDeadline()).isEqualTo(1050);
        machine.timeout(1049, told);
        assertThat(told.heard()).doesNotContain("woken");
        machine.timeout(1050, told);
        assertThat(told.heard()).containsExactly("woken");
        arm(machine, Arm.ANY);
        completed(machine, 2, 3);
        assertThat(told.heard()).contains("woken");
    }

    @Test
    void moderationCountsAcrossBatches() {
        CompletionQueueMachine machine = machine(8, false, true);
        machine.moderate(3, 0, 0, told);
        arm(machine, Arm.ANY);
        told.demand = 8;
        completed(machine, 1, 2);
        assertThat(told.heard()).doesNotContain("woken");
        completed(machine, 3, 4);
        assertThat(told.heard()).containsOnlyOnce("woken");
    }

    // rule completion-timestamp
    @Test
    void entriesHaveTimestampsIfTheQueueWasCreatedWithThem() {
        CompletionQueueMachine machine =
                new CompletionQueueMachine(new CompletionQueueMachine.Rules(8, false, true, false, 1_000_000));
        assertThat(machine.needsTime()).isTrue();
        told.demand = 1;
        machine.completed(batch(1), 5000, told);
        assertThat(told.grants.getFirst().at(0).entry().timestampTicks()).hasValue(AdapterClock.of(5000, 1_000_000));
    }
}
