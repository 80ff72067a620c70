package org.hcaactors.adapter.completion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.junit.jupiter.api.Test;

class CompletionRingTest {
    private final AtomicInteger freed = new AtomicInteger();
    private final SlotOwner owner = freed::addAndGet;

    private Cqe cqe(long id) {
        return new Cqe(
                WorkCompletion.of(id, Status.SUCCESS, CompletionKind.SEND, 1, 0, OptionalInt.empty()), owner, 1, false);
    }

    private static List<Long> ids(Cqe[] entries) {
        return Arrays.stream(entries).map(cqe -> cqe.entry().workId()).toList();
    }

    @Test
    void anEntryCountsUntilItWasTakenAlsoOnItsWay() {
        CompletionRing ring = new CompletionRing(3);
        assertThat(ring.push(cqe(1))).isTrue();
        assertThat(ring.push(cqe(2))).isTrue();
        assertThat(ring.push(cqe(3))).isTrue();
        assertThat(ring.push(cqe(4))).isFalse();
        assertThat(ids(ring.poll(2))).containsExactly(1L, 2L);
        assertThat(ring.push(cqe(5))).as("two are on their way").isFalse();
        ring.freed(1);
        assertThat(ring.push(cqe(6))).isTrue();
        assertThat(ring.push(cqe(7))).isFalse();
    }

    @Test
    void whatComesBackStandsInFrontInItsOrder() {
        CompletionRing ring = new CompletionRing(40);
        for (int i = 0; i < 30; i++) {
            ring.push(cqe(i));
        }
        Cqe[] taken = ring.poll(10);
        ring.giveBack(Arrays.asList(taken).subList(4, 10));
        ring.freed(4);
        assertThat(ids(ring.poll(8))).containsExactly(4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L);
        assertThat(ring.room()).isEqualTo(40 - 26);
    }

    @Test
    void purgingTakesOutOneOwnersEntriesOnly() {
        CompletionRing ring = new CompletionRing(40);
        SlotOwner other = slots -> {};
        for (int i = 0; i < 20; i++) {
            ring.push(i % 3 == 0 ? new Cqe(cqe(i).entry(), other, 1, false) : cqe(i));
        }
        ring.purge(cqe -> cqe.owner() == owner);
        assertThat(ids(ring.poll(40))).containsExactly(0L, 3L, 6L, 9L, 12L, 15L, 18L);
    }

    @Test
    void aBatchFreesTheSlotsOfEachOwnerOnceAndWhatCameBackFreesNone() {
        AtomicInteger others = new AtomicInteger();
        SlotOwner other = others::addAndGet;
        Cqe[] batch = {cqe(1), cqe(2), new Cqe(cqe(3).entry(), other, 5, false), cqe(4)};
        Cqe.free(batch);
        assertThat(freed).hasValue(3);
        assertThat(others).hasValue(5);
        Cqe.free(new Cqe[] {Cqe.again(batch[0].entry())});
        assertThat(freed).hasValue(3);
    }
}
