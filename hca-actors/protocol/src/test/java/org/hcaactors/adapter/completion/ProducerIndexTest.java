// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.hcaactors.adapter.completion.CompletionQueueMachine.Rules;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.CompletionQueue.Arm;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.junit.jupiter.api.Test;

// rule completion-producer-index
/** The number that grows with each entry, and what a poll finds at each of its values. */
class ProducerIndexTest {
    private final Seen seen = new Seen();
    private final WorkQueueFeed workQueue = new WorkQueueFeed(slots -> {});
    private CompletionQueueMachine queue = queue(7, false, true);

    /** Notes each number, with the entries in the ring at that time, and each event. */
    private final class Seen extends QuietEffects {
        final List<String> said = new ArrayList<>();
        int demand;

        @Override
        public int demand() {
            return demand;
        }

        @Override
        public void grant(CompletionGrant grant) {
            demand -= grant.size();
        }

        @Override
        public void produced(long index) {
            said.add(index + " with " + queue.size());
        }

        @Override
        public void wake() {
            said.add("woken");
        }

        @Override
        public void failed() {
            said.add("failed");
        }
    }

    private static CompletionQueueMachine queue(int capacity, boolean ignoreOverrun, boolean fatal) {
        return new CompletionQueueMachine(new Rules(capacity, ignoreOverrun, fatal, false, 0));
    }

    @SuppressWarnings("unchecked")
    private void written(long... ids) {
        WorkCompletion[] entries = Arrays.stream(ids)
                .mapToObj(id -> WorkCompletion.of(id, Status.SUCCESS, CompletionKind.SEND, 3, 0, OptionalInt.empty()))
                .toArray(WorkCompletion[]::new);
        queue.completed(new Completions(entries, workQueue, new int[0], new Reply[0], new boolean[0]), 0, seen);
    }

    private int poll(int max) {
        return queue.take(max).length;
    }

    @Test
    void itGrowsWhenAnEntryIsInTheRing() {
        written(1, 2);
        written(3);
        assertThat(seen.said).containsExactly("1 with 1", "2 with 2", "3 with 3");
    }

    @Test
    void pollsDoNotChangeIt() {
        written(1, 2);
        assertThat(poll(7)).isEqualTo(2);
        assertThat(poll(7)).isZero();
        written(3);
        assertThat(seen.said).containsExactly("1 with 1", "2 with 2", "3 with 1");
    }

    @Test
    void itGrowsBeforeTheEventOfItsEntry() {
        queue.arm(Arm.ANY);
        written(1, 2);
        assertThat(seen.said).containsExactly("1 with 1", "woken", "2 with 2");
    }

    @Test
    void moderationDelaysTheEventAndNotTheNumber() {
        queue.moderate(3, 0, 0, seen);
        queue.arm(Arm.ANY);
        written(1, 2);
        assertThat(seen.said).containsExactly("1 with 1", "2 with 2");
        written(3);
        assertThat(seen.said).endsWith("3 with 3", "woken");
    }

    @Test
    void aFailureChangesItOnceThoughNothingIsWritten() {
        queue = queue(1, false, true);
        written(1, 2, 3);
        assertThat(seen.said).containsExactly("1 with 1", "failed", "2 with 1");
        written(4);
        queue.fail(seen);
        assertThat(seen.said).hasSize(3);
    }

    @Test
    void anEntryThatIsLostWithoutFailureDoesNotChangeIt() {
        queue = queue(1, false, false);
        written(1, 2);
        assertThat(seen.said).containsExactly("1 with 1");
    }

    @Test
    void anEntryThatReplacesTheOldestChangesIt() {
        queue = queue(2, true, true);
        written(1, 2, 3);
        assertThat(seen.said).containsExactly("1 with 1", "2 with 2", "3 with 2");
    }

    @Test
    void aResizeKeepsIt() {
        written(1);
        assertThat(queue.resize(31)).isTrue();
        written(2);
        assertThat(seen.said).containsExactly("1 with 1", "2 with 2");
    }

    @Test
    void entriesThatASubscriberDidNotTakeChangeItAgain() {
        seen.demand = 3;
        written(1, 2, 3);
        assertThat(seen.said).containsExactly("3 with 0");
        queue.delivered(1);
        queue.returnUndelivered(seen);
        assertThat(seen.said).containsExactly("3 with 0", "5 with 2");
        assertThat(poll(7)).isEqualTo(2);
    }

    @Test
    void nothingReturnedChangesNothing() {
        seen.demand = 1;
        written(1);
        queue.delivered(1);
        queue.returnUndelivered(seen);
        assertThat(seen.said).containsExactly("1 with 0");
    }

    @Test
    void aResetRemovesEntriesAndKeepsTheNumber() {
        written(1, 2);
        workQueue.withdraw();
        queue.purge(workQueue, seen);
        assertThat(seen.said).containsExactly("1 with 1", "2 with 2");
        assertThat(poll(7)).isZero();
    }
}
