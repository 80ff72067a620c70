package org.hcaactors.adapter.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.adapter.completion.SlotOwner;
import org.junit.jupiter.api.Test;

class WorkRingTest {
    @Test
    void aBellRingsOnceUntilItIsCleared() {
        AtomicInteger bells = new AtomicInteger();
        WorkRing<Integer> ring = new WorkRing<>(4, bells::incrementAndGet);
        ring.put(1);
        ring.put(2);
        assertThat(bells).hasValue(1);
        ring.clearBell();
        ring.put(3);
        assertThat(bells).hasValue(2);
        assertThat(List.of(ring.poll(), ring.poll(), ring.poll())).containsExactly(1, 2, 3);
        assertThat(ring.poll()).isNull();
        assertThat(ring.isBehind()).isFalse();
    }

    @Test
    void aSlotIsTakenUntilItsOwnerReleasesIt() {
        WorkRing<Integer> ring = new WorkRing<>(2, () -> {});
        assertThat(ring.put(1)).isTrue();
        assertThat(ring.put(2)).isTrue();
        ring.poll();
        ring.poll();
        assertThat(ring.put(3)).as("polled by the adapter, not yet completed").isFalse();
        ring.owner().release(1);
        assertThat(ring.put(4)).isTrue();
        assertThat(ring.put(5)).isFalse();
    }

    @Test
    void aResetFreesEverySlotAndOldCompletionsFreeNoneAgain() {
        WorkRing<Integer> ring = new WorkRing<>(2, () -> {});
        SlotOwner before = ring.owner();
        ring.put(1);
        ring.put(2);
        ring.poll();
        ring.poll();
        ring.reset();
        before.release(2);
        assertThat(ring.put(3)).isTrue();
        assertThat(ring.put(4)).isTrue();
        assertThat(ring.put(5)).isFalse();
    }

    /** The consumer sleeps unless a bell rings, so a lost wake-up would leave it asleep with entries in the ring. */
    @Test
    void noWakeUpIsLostBetweenManyProducersAndOneConsumer() throws InterruptedException {
        int producers = 3;
        int each = 60_000;
        Semaphore bells = new Semaphore(0);
        WorkRing<Integer> ring = new WorkRing<>(64, bells::release);
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int p = 0; p < producers; p++) {
            int first = p * each;
            running.add(CompletableFuture.runAsync(() -> {
                for (int i = 0; i < each; i++) {
                    while (!ring.put(first + i)) {
                        Thread.onSpinWait();
                    }
                }
            }));
        }
        boolean[] seen = new boolean[producers * each];
        int count = 0;
        while (count < seen.length) {
            assertThat(bells.tryAcquire(20, TimeUnit.SECONDS))
                    .as("a bell after %d entries", count)
                    .isTrue();
            ring.clearBell();
            for (Integer entry = ring.poll(); entry != null; entry = ring.poll()) {
                assertThat(seen[entry]).isFalse();
                seen[entry] = true;
                count++;
                ring.owner().release(1);
            }
            if (ring.isBehind()) {
                bells.release();
            }
        }
        running.forEach(CompletableFuture::join);
        assertThat(ring.poll()).isNull();
    }
}
