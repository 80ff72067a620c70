// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.junit.jupiter.api.Test;

class CompletionRingTest {
    private final AtomicInteger freed = new AtomicInteger();
    private final WorkQueueFeed workQueue = new WorkQueueFeed(freed::addAndGet);

    private Cqe cqe(long id) {
        return cqe(id, workQueue, 1);
    }

    private static Cqe cqe(long id, WorkQueueFeed workQueue, int slots) {
        return new Cqe(
                WorkCompletion.of(id, Status.SUCCESS, CompletionKind.SEND, 1, 0, OptionalInt.empty()),
                workQueue,
                slots,
                id % 10 == 7);
    }

    private static List<Long> ids(Cqe[] entries) {
        return Arrays.stream(entries).map(cqe -> cqe.entry().workId()).toList();
    }

    // rule completion-place
    @Test
    void anEntryCountsUntilItIsHandedOutAlsoOnItsWay() {
        CompletionRing ring = new CompletionRing(3);
        assertThat(ring.push(cqe(1))).isTrue();
        assertThat(ring.push(cqe(2))).isTrue();
        assertThat(ring.push(cqe(3))).isTrue();
        assertThat(ring.push(cqe(4))).isFalse();
        ring.grant(2);
        assertThat(ring.push(cqe(5))).as("two are on their way").isFalse();
        ring.delivered(1);
        assertThat(ring.push(cqe(6))).isTrue();
        assertThat(ring.push(cqe(7))).isFalse();
    }

    @Test
    void pollAndHandOutFreeSlotsAndAGrantDoesNot() {
        CompletionRing ring = new CompletionRing(10);
        for (int i = 0; i < 4; i++) {
            ring.push(cqe(i));
        }
        CompletionGrant grant = ring.grant(3);
        assertThat(freed).hasValue(0);
        assertThat(grant.take(0)).isNotNull();
        assertThat(freed).hasValue(1);
        Cqe.free(ring.poll(1), 1);
        assertThat(freed).hasValue(2);
    }

    // rule completion-place
    @Test
    void returnedEntriesAreAtTheFrontInOrder() {
        CompletionRing ring = new CompletionRing(40);
        for (int i = 0; i < 30; i++) {
            ring.push(cqe(i));
        }
        ring.grant(3);
        ring.grant(7);
        ring.delivered(4);
        assertThat(ring.returnUndelivered()).isEqualTo(6);
        assertThat(ring.solicited()).as("7, 17 and 27").isEqualTo(3);
        assertThat(ids(ring.poll(8))).containsExactly(4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L);
        assertThat(ring.room()).isEqualTo(40 - 18);
    }

    @Test
    void purgingRemovesOneFeedsEntriesAndFreesTheirSlots() {
        CompletionRing ring = new CompletionRing(20);
        WorkQueueFeed other = new WorkQueueFeed(slots -> {});
        for (int i = 0; i < 20; i++) {
            ring.push(i % 3 == 0 ? cqe(i, other, 1) : cqe(i, workQueue, 2));
        }
        assertThat(ring.purge(workQueue)).isEqualTo(13);
        assertThat(freed).hasValue(26);
        assertThat(ring.room()).isEqualTo(13);
        assertThat(ring.solicited()).isZero();
        ring.push(cqe(20, other, 1));
        assertThat(ids(ring.poll(40))).containsExactly(0L, 3L, 6L, 9L, 12L, 15L, 18L, 20L);
        assertThat(ring.purge(workQueue)).as("once").isZero();
    }

    @Test
    void aPurgedGrantedEntryIsNeitherHandedOutNorReturned() {
        CompletionRing ring = new CompletionRing(10);
        WorkQueueFeed other = new WorkQueueFeed(slots -> {});
        for (int i = 0; i < 6; i++) {
            ring.push(i % 2 == 0 ? cqe(i) : cqe(i, other, 1));
        }
        CompletionGrant grant = ring.grant(4);
        workQueue.withdraw();
        assertThat(ring.purge(workQueue)).as("entries removed from the ring").isEqualTo(1);
        assertThat(grant.take(0)).isNull();
        assertThat(grant.take(1)).isNotNull();
        ring.delivered(2);
        assertThat(ring.returnUndelivered()).isEqualTo(1);
        assertThat(ids(ring.poll(10))).containsExactly(3L, 5L);
        assertThat(ring.room()).isEqualTo(10);
        assertThat(freed).as("each once").hasValue(3);
    }

    @Test
    void purgingMostOfAFullRingLeavesTheRestInItsOrder() {
        for (int capacity = 4; capacity <= 64; capacity *= 2) {
            CompletionRing ring = new CompletionRing(capacity);
            WorkQueueFeed gone = new WorkQueueFeed(slots -> {});
            for (int i = 0; i < capacity; i++) {
                ring.push(cqe(i, i < capacity - 1 ? gone : workQueue, 1));
            }
            assertThat(ring.purge(gone)).isEqualTo(capacity - 1);
            assertThat(ids(ring.poll(capacity))).containsExactly(capacity - 1L);
        }
    }

    @Test
    void purgingManyFeedsOfAFullRingLeavesItAtMostHalfEmpty() {
        CompletionRing ring = new CompletionRing(4096);
        List<WorkQueueFeed> feeds = Stream.generate(() -> new WorkQueueFeed(freed::addAndGet))
                .limit(1024)
                .toList();
        for (int i = 0; i < 4096; i++) {
            ring.push(cqe(i, feeds.get(i % 1024), 1));
        }
        for (WorkQueueFeed each : feeds) {
            ring.purge(each);
            assertThat(ring.length()).isLessThanOrEqualTo(2 * ring.size());
        }
        assertThat(ring.room()).isEqualTo(4096);
        assertThat(freed).hasValue(4096);
    }

    @Test
    void aBatchFreesTheSlotsOfEachFeedOnceForARun() {
        List<Integer> releases = new ArrayList<>();
        WorkQueueFeed one = new WorkQueueFeed(releases::add);
        WorkQueueFeed other = new WorkQueueFeed(slots -> releases.add(-slots));
        Cqe[] batch = {cqe(1, one, 1), cqe(2, one, 1), cqe(3, other, 5), cqe(4, one, 1)};
        assertThat(Cqe.free(batch, 4)).isEqualTo(4);
        assertThat(releases).containsExactly(2, -5, 1);
    }

    @Test
    void entriesOfAWithdrawnFeedAreFreedAndNotKept() {
        List<Integer> releases = new ArrayList<>();
        WorkQueueFeed one = new WorkQueueFeed(releases::add);
        WorkQueueFeed reset = new WorkQueueFeed(slots -> releases.add(-slots));
        Cqe[] batch = {cqe(1, reset, 1), cqe(2, one, 2), cqe(3, reset, 3), cqe(4, one, 4)};
        reset.withdraw();
        assertThat(Cqe.free(batch, 4)).isEqualTo(2);
        assertThat(releases).containsExactly(-1, 2, -3, 4);
        assertThat(batch)
                .extracting(cqe -> cqe == null ? 0 : cqe.entry().workId())
                .containsExactly(2L, 4L, 0L, 0L);
    }
}
