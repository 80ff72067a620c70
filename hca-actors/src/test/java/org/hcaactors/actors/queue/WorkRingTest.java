// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
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
    void aBellRingsOnceUntilTheConsumerRests() {
        AtomicInteger bells = new AtomicInteger();
        WorkRing<Integer> ring = new WorkRing<>(4, bells::incrementAndGet);
        ring.put(1);
        ring.put(2);
        assertThat(bells).hasValue(1);
        assertThat(List.of(ring.poll(), ring.poll())).containsExactly(1, 2);
        ring.rest();
        assertThat(bells).as("the ring is empty").hasValue(1);
        ring.put(3);
        assertThat(bells).hasValue(2);
        assertThat(ring.poll()).isEqualTo(3);
        assertThat(ring.poll()).isNull();
        assertThat(ring.hasUnpolled()).isFalse();
    }

    @Test
    void aConsumerThatRestsWithEntriesLeftGetsABell() {
        AtomicInteger bells = new AtomicInteger();
        WorkRing<Integer> ring = new WorkRing<>(4, bells::incrementAndGet);
        ring.put(1);
        long slot = ring.claim();
        ring.poll();
        ring.rest();
        assertThat(bells).as("a slot was taken whose entry is on its way").hasValue(2);
        ring.fill(slot, 2);
        assertThat(bells).hasValue(2);
    }

    @Test
    void aPutIntoASilencedRingRingsNoBell() {
        AtomicInteger bells = new AtomicInteger();
        WorkRing<Integer> ring = new WorkRing<>(4, bells::incrementAndGet);
        ring.silence();
        ring.put(1);
        assertThat(ring.poll()).isEqualTo(1);
        ring.rest();
        ring.put(2);
        assertThat(ring.isSilenced()).isTrue();
        assertThat(bells).hasValue(0);
    }

    @Test
    void listenRingsAtOnceIfTheSilencedRingHasEntries() {
        AtomicInteger bells = new AtomicInteger();
        WorkRing<Integer> ring = new WorkRing<>(4, bells::incrementAndGet);
        ring.silence();
        ring.put(1);
        ring.listen();
        assertThat(bells).hasValue(1);
        ring.put(2);
        assertThat(bells).as("it was rung for").hasValue(1);
        assertThat(List.of(ring.poll(), ring.poll())).containsExactly(1, 2);
        ring.rest();
        ring.put(3);
        assertThat(bells).hasValue(2);
    }

    @Test
    void listenRingsNoBellForAnEmptyRing() {
        AtomicInteger bells = new AtomicInteger();
        WorkRing<Integer> ring = new WorkRing<>(4, bells::incrementAndGet);
        ring.silence();
        ring.listen();
        assertThat(bells).hasValue(0);
    }

    @Test
    void unpolledCountsPutEntriesAlsoAfterSeal() {
        WorkRing<Integer> ring = new WorkRing<>(4, () -> {});
        ring.put(1);
        ring.put(2);
        ring.put(3);
        ring.poll();
        assertThat(ring.unpolled()).isEqualTo(2);
        ring.seal();
        assertThat(ring.unpolled()).isEqualTo(2);
    }

    // rule post-list
    @Test
    void entriesOfAListRingTheBellOnceAndAreNextToEachOther() {
        AtomicInteger bells = new AtomicInteger();
        WorkRing<Integer> ring = new WorkRing<>(8, bells::incrementAndGet);
        assertThat(ring.putAll(List.of(1, 2, 3), entry -> entry + 10).count()).isEqualTo(3);
        assertThat(bells).hasValue(1);
        assertThat(List.of(ring.poll(), ring.poll(), ring.poll())).containsExactly(11, 12, 13);
        ring.rest();
        ring.putAll(List.of(4, 5), entry -> entry);
        assertThat(bells).hasValue(2);
    }

    @Test
    void aListTakesTheSlotsThatAreFree() {
        AtomicInteger bells = new AtomicInteger();
        WorkRing<Integer> ring = new WorkRing<>(4, bells::incrementAndGet);
        ring.put(1);
        assertThat(ring.putAll(List.of(2, 3, 4, 5), entry -> entry).count()).isEqualTo(3);
        WorkRing.Claim none = ring.putAll(List.of(6), entry -> entry);
        assertThat(none).isEqualTo(new WorkRing.Claim(WorkRing.FULL, 0));
        assertThat(drain(ring)).isEqualTo(4);
    }

    @Test
    void aWholeListTakesASlotForEachEntryOrNone() {
        AtomicInteger bells = new AtomicInteger();
        WorkRing<Integer> ring = new WorkRing<>(4, bells::incrementAndGet);
        assertThat(ring.putWhole(List.of(1, 2), entry -> entry + 10)).isEqualTo(new WorkRing.Claim(0, 2));
        assertThat(ring.putWhole(List.of(3, 4, 5), entry -> entry)).isEqualTo(new WorkRing.Claim(WorkRing.FULL, 0));
        assertThat(ring.putWhole(List.of(), entry -> entry).count()).isZero();
        assertThat(List.of(ring.poll(), ring.poll())).containsExactly(11, 12);
        assertThat(ring.poll()).isNull();
        assertThat(bells).hasValue(1);
        ring.seal();
        assertThat(ring.putWhole(List.of(1), entry -> entry).first()).isEqualTo(WorkRing.CLOSED);
    }

    @Test
    void anEmptyListAndASealedRingRingNoBell() {
        AtomicInteger bells = new AtomicInteger();
        WorkRing<Integer> ring = new WorkRing<>(4, bells::incrementAndGet);
        assertThat(ring.putAll(List.of(), entry -> entry).count()).isZero();
        ring.seal();
        assertThat(ring.putAll(List.of(1), entry -> entry).first()).isEqualTo(WorkRing.CLOSED);
        assertThat(bells).hasValue(0);
    }

    @Test
    void everyClaimedSlotOfAListIsFilledThoughItsTraceThrows() {
        AtomicInteger bells = new AtomicInteger();
        WorkRing<Integer> ring = new WorkRing<>(4, bells::incrementAndGet);
        assertThatThrownBy(() -> ring.putAll(List.of(1, 2, 3), entry -> {
                    if (entry == 2) {
                        throw new IllegalStateException("planned");
                    }
                    return entry + 10;
                }))
                .hasMessage("planned");
        assertThat(List.of(ring.poll(), ring.poll(), ring.poll())).containsExactly(11, 2, 3);
        assertThat(ring.hasUnpolled()).isFalse();
        assertThat(bells).hasValue(1);
    }

    // rule post-slot
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

    @Test
    void anEntryThatAppearsAfterAResetKeepsItsSlot() {
        WorkRing<Integer> ring = new WorkRing<>(2, () -> {});
        long late = ring.claim();
        ring.reset();
        assertThat(ring.put(1)).isTrue();
        assertThat(ring.put(2)).as("the third in two slots").isFalse();
        ring.fill(late, 0);
        assertThat(List.of(ring.poll(), ring.poll())).containsExactly(0, 1);
        assertThat(ring.hasUnpolled()).isFalse();
    }

    @Test
    void aSealedRingRefusesClaimsAndHasUnpolledUntilClaimsAreFilled() {
        AtomicInteger bells = new AtomicInteger();
        WorkRing<Integer> ring = new WorkRing<>(4, bells::incrementAndGet);
        long slot = ring.claim();
        ring.seal();
        ring.seal();
        assertThat(ring.claim()).isEqualTo(WorkRing.CLOSED);
        assertThat(ring.put(2)).isFalse();
        assertThat(ring.poll()).isNull();
        assertThat(ring.hasUnpolled()).isTrue();
        ring.fill(slot, 1);
        assertThat(bells).hasValue(1);
        assertThat(ring.poll()).isEqualTo(1);
        assertThat(ring.hasUnpolled()).isFalse();
    }

    @Test
    void everyAcceptedPutIsPolledFromASealedRing() {
        int producers = 3;
        for (int round = 0; round < 2_000; round++) {
            WorkRing<Integer> ring = new WorkRing<>(1 << 12, () -> {});
            AtomicInteger put = new AtomicInteger();
            List<CompletableFuture<Void>> running = new ArrayList<>();
            for (int p = 0; p < producers; p++) {
                running.add(CompletableFuture.runAsync(() -> {
                    while (ring.put(1)) {
                        put.incrementAndGet();
                    }
                }));
            }
            int polled = drain(ring);
            ring.seal();
            do {
                polled += drain(ring);
            } while (ring.hasUnpolled());
            assertThat(running)
                    .allSatisfy(
                            producer -> assertThat(producer).as("a producer").succeedsWithin(Duration.ofSeconds(20)));
            assertThat(polled).isEqualTo(put.get());
        }
    }

    private static int drain(WorkRing<Integer> ring) {
        int count = 0;
        while (ring.poll() != null) {
            count++;
        }
        return count;
    }

    /** The consumer sleeps until the bell rings, so a lost wake-up would leave entries in the ring. */
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
                    for (long begun = System.nanoTime(); !ring.put(first + i); Thread.onSpinWait()) {
                        assertThat(System.nanoTime() - begun)
                                .as("nanoseconds until the ring has place for entry %d", first + i)
                                .isLessThan(TimeUnit.SECONDS.toNanos(20));
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
            for (Integer entry = ring.poll(); entry != null; entry = ring.poll()) {
                assertThat(seen[entry]).isFalse();
                seen[entry] = true;
                count++;
                ring.owner().release(1);
            }
            ring.rest();
        }
        assertThat(running)
                .allSatisfy(producer -> assertThat(producer).as("a producer").succeedsWithin(Duration.ofSeconds(20)));
        assertThat(ring.poll()).isNull();
    }
}
