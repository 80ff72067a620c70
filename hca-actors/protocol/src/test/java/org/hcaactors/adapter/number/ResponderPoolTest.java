// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.number;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.adapter.number.ResponderPool.Slot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responders of an adapter (rule dc-pool). */
class ResponderPoolTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 8, 1000, 1024})
    void aPoolHasItsNumberOfSlotsAndNoMore(int size) {
        ResponderPool pool = new ResponderPool(size);
        Set<Integer> ids = new HashSet<>();
        List<Slot> taken = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            Slot slot = pool.take().orElseThrow();
            taken.add(slot);
            ids.add(slot.sessionId());
        }
        assertThat(ids).hasSize(size).doesNotContain(0).allMatch(id -> id < 1 << 24);
        assertThat(pool.free()).isZero();
        assertThat(pool.take()).isEmpty();
        taken.forEach(pool::free);
        assertThat(pool.free()).isEqualTo(size);
    }

    @Test
    void anAdapterWithoutAnyHasNone() {
        ResponderPool pool = new ResponderPool(0);
        assertThat(pool.free()).isZero();
        assertThat(pool.take()).isEmpty();
    }

    /** The largest pool of an adapter: its last number has 24 bits, too. */
    @Test
    void noNumberHasMoreThanTwentyFourBits() {
        ResponderPool pool = new ResponderPool(1 << 24);
        assertThat(pool.free()).isEqualTo((1 << 24) - 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 64})
    void aSessionIdIsReusedOnlyAfterManyLaps(int size) {
        ResponderPool pool = new ResponderPool(size);
        Set<Integer> ids = new HashSet<>();
        for (int i = 0; i < 20_000; i++) {
            Slot slot = pool.take().orElseThrow();
            assertThat(ids.add(slot.sessionId())).as("the %d-th", i).isTrue();
            pool.free(slot);
        }
        assertThat(ids).doesNotContain(0);
    }

    @Test
    void aSlotHasOneHolderAtATime() {
        SplittableRandom chance = new SplittableRandom(5);
        ResponderPool pool = new ResponderPool(9);
        Deque<Slot> held = new ArrayDeque<>();
        for (int i = 0; i < 5_000; i++) {
            Optional<Slot> next = chance.nextBoolean() ? pool.take() : Optional.empty();
            next.ifPresent(slot -> {
                assertThat(held).extracting(Slot::index).doesNotContain(slot.index());
                held.add(slot);
            });
            if (next.isEmpty() && !held.isEmpty()) {
                pool.free(held.remove());
            }
            assertThat(pool.free()).isEqualTo(9 - held.size());
        }
    }

    /** Targets of one adapter take from it concurrently, and there are fewer than they need. */
    @Test
    void concurrentThreadsNeverHoldTheSameSlot() throws InterruptedException {
        ResponderPool pool = new ResponderPool(3);
        Set<Integer> held = ConcurrentHashMap.newKeySet();
        AtomicInteger wrong = new AtomicInteger();
        CountDownLatch begin = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    assertThat(begin.await(60, TimeUnit.SECONDS))
                            .as("the start")
                            .isTrue();
                } catch (InterruptedException stopped) {
                    wrong.incrementAndGet();
                }
                for (int turn = 0; turn < 20_000; turn++) {
                    pool.take().ifPresent(slot -> {
                        if (!held.add(slot.index()) || !held.remove(slot.index())) {
                            wrong.incrementAndGet();
                        }
                        pool.free(slot);
                    });
                }
            }));
        }
        begin.countDown();
        for (Thread thread : threads) {
            assertThat(thread.join(Duration.ofSeconds(60))).as("20,000 turns").isTrue();
        }
        assertThat(wrong).hasValue(0);
        assertThat(pool.free()).isEqualTo(3);
    }
}
