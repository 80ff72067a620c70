// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TaskLedgerTest {
    private static TaskLedger<String> ledger(int seeds) {
        return new TaskLedger<>(
                LongStream.range(0, seeds).mapToObj(Task.Run::new).iterator());
    }

    private static List<Task> runs(long... seeds) {
        return LongStream.of(seeds).<Task>mapToObj(Task.Run::new).toList();
    }

    @Test
    void eachTaskIsWithOneNodeOnly() {
        TaskLedger<String> ledger = ledger(5);
        assertThat(ledger.topUp("a", 2)).isEqualTo(runs(0, 1));
        assertThat(ledger.topUp("b", 2)).isEqualTo(runs(2, 3));
        assertThat(ledger.topUp("a", 2)).as("asked again").isEqualTo(runs(0, 1));
    }

    @Test
    void anEndedTaskMakesRoom() {
        TaskLedger<String> ledger = ledger(5);
        ledger.topUp("a", 2);
        assertThat(ledger.end(new Task.Run(0))).isTrue();
        assertThat(ledger.topUp("a", 2)).isEqualTo(runs(1, 2));
    }

    @Test
    void aResultCountsOnce() {
        TaskLedger<String> ledger = ledger(1);
        ledger.topUp("a", 2);
        assertThat(ledger.end(new Task.Run(0))).isTrue();
        assertThat(ledger.end(new Task.Run(0))).isFalse();
        assertThat(ledger.isDone()).isTrue();
    }

    @Test
    void tasksOfAGoneNodeComeBeforeNewOnes() {
        TaskLedger<String> ledger = ledger(5);
        ledger.topUp("a", 2);
        assertThat(ledger.giveBack("a")).isEmpty();
        assertThat(ledger.topUp("b", 3)).isEqualTo(runs(0, 1, 2));
    }

    @Test
    void theFirstOfTwoResultsOfOneTaskCounts() {
        TaskLedger<String> ledger = ledger(1);
        ledger.topUp("a", 1);
        ledger.giveBack("a");
        ledger.topUp("b", 1);
        assertThat(ledger.end(new Task.Run(0))).as("of a, which was alive").isTrue();
        assertThat(ledger.end(new Task.Run(0))).as("of b").isFalse();
        assertThat(ledger.topUp("b", 1)).isEmpty();
    }

    @Test
    void aResultCountsWhileItsTaskIsWithNoNode() {
        TaskLedger<String> ledger = ledger(1);
        ledger.topUp("a", 1);
        ledger.giveBack("a");
        assertThat(ledger.end(new Task.Run(0))).isTrue();
        assertThat(ledger.topUp("b", 1)).isEmpty();
        assertThat(ledger.isDone()).isTrue();
    }

    @Test
    void aTaskWithWhichThreeNodesWentIsSuspected() {
        TaskLedger<String> ledger = ledger(2);
        for (int returned = 1; returned < TaskLedger.MAX_RETURNS; returned++) {
            ledger.topUp("node", 1);
            ledger.runs("node", runs(0));
            assertThat(ledger.giveBack("node")).isEmpty();
        }
        ledger.topUp("node", 1);
        ledger.runs("node", runs(0));
        assertThat(ledger.giveBack("node")).isEqualTo(Optional.of(new Task.Run(0)));
    }

    @Test
    void aTaskThatOnlyWaitsAtNodesThatGoIsNotSuspected() {
        TaskLedger<String> ledger = ledger(2);
        for (int returned = 0; returned <= TaskLedger.MAX_RETURNS; returned++) {
            ledger.topUp("node", 2);
            ledger.runs("node", returned == 0 ? runs(0) : runs());
            assertThat(ledger.giveBack("node")).isEmpty();
        }
        assertThat(ledger.topUp("node", 2)).isEqualTo(runs(0, 1));
    }

    @Test
    void afterAStopOnlyBegunTasksEnd() {
        TaskLedger<String> ledger = ledger(9);
        ledger.topUp("a", 2);
        ledger.topUp("b", 1);
        ledger.runs("a", runs(0));
        ledger.runs("b", runs(2));
        ledger.stop();
        assertThat(ledger.topUp("a", 4)).as("the other one waited").isEqualTo(runs(0));
        ledger.end(new Task.Run(0));
        assertThat(ledger.isDone()).isFalse();
        ledger.giveBack("b");
        assertThat(ledger.isDone()).isTrue();
    }

    @Test
    void aStopDropsSearchesForMinimalRuns() {
        TaskLedger<String> ledger = new TaskLedger<>(List.of(new Task.Shrink(0)).iterator());
        ledger.runs("a", ledger.topUp("a", 1));
        ledger.stop();
        assertThat(ledger.isDone()).isTrue();
    }
}
