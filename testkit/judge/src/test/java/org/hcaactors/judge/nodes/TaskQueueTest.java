// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.hcaactors.judge.sweep.Sweep;
import org.junit.jupiter.api.Test;

class TaskQueueTest {
    private final TaskQueue queue = new TaskQueue(2);

    private static List<Task> runs(long... seeds) {
        return LongStream.of(seeds).<Task>mapToObj(Task.Run::new).toList();
    }

    private static TaskResult result(long seed) {
        return new TaskResult.Ran(new Sweep.Outcome(seed, 1, Map.of(), 1, 1, Optional.empty()));
    }

    @Test
    void asManyTasksRunAsThereAreThreads() {
        queue.assign(runs(0, 1, 2));
        assertThat(queue.begin()).isEqualTo(runs(0, 1));
        assertThat(queue.begin()).isEmpty();
        assertThat(queue.running()).isEqualTo(runs(0, 1));
        queue.end(result(1));
        assertThat(queue.begin()).isEqualTo(runs(2));
    }

    @Test
    void aRepeatedListBeginsNothingTwice() {
        queue.assign(runs(0));
        queue.begin();
        queue.assign(runs(0));
        assertThat(queue.begin()).as("it runs").isEmpty();
        queue.end(result(0));
        queue.assign(runs(0));
        assertThat(queue.begin()).as("it has ended").isEmpty();
    }

    @Test
    void aResultIsKeptUntilItsTaskIsListedNoMore() {
        queue.assign(runs(0, 1));
        queue.begin();
        queue.end(result(0));
        assertThat(queue.results()).isEqualTo(List.of(result(0)));
        queue.assign(runs(0, 1));
        assertThat(queue.results()).as("the message was lost").isEqualTo(List.of(result(0)));
        queue.assign(runs(1, 2));
        assertThat(queue.results()).isEmpty();
    }

    @Test
    void aTaskThatOthersEndedDoesNotBegin() {
        queue.assign(runs(0, 1, 2));
        queue.begin();
        queue.assign(runs(0, 1));
        queue.end(result(0));
        assertThat(queue.begin()).isEmpty();
    }

    @Test
    void aMessageHasFewResults() {
        TaskQueue wide = new TaskQueue(20);
        wide.assign(runs(LongStream.range(0, 20).toArray()));
        wide.begin();
        LongStream.range(0, 20).forEach(seed -> wide.end(result(seed)));
        assertThat(wide.results()).hasSize(TaskQueue.MAX_RESULTS);
    }
}
