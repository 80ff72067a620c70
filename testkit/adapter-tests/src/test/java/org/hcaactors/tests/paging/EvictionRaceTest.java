// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.paging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.tests.paging.Paged.PAGE;
import static org.hcaactors.tests.paging.Paged.PAGES;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.PagingCounters;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Prefetch;
import org.hcaactors.api.memory.Prefetch.Purpose;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Traffic over regions on demand whose pages are evicted and prefetched meanwhile: all of it arrives, and nothing else. */
@Tag("nightly")
class EvictionRaceTest {
    private static final int SEEDS = Integer.getInteger("rdma.seeds", 60);
    private static final int REQUESTS = 24;

    /** Bytes of each request's own area, so that requests may run in any order. */
    private static final int OWN = PAGES * PAGE / REQUESTS / 8 * 8;

    // rules paging-fault, paging-invalidates, paging-contention, paging-suspends
    @Test
    void trafficDuringEvictionsAndPrefetchesLosesNothing() {
        long contentions = 0;
        long faults = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            PagingCounters both = race(seed);
            contentions += both.contentions();
            faults += both.pageFaults();
        }
        assertThat(contentions).as("in %d faults", faults).isPositive();
        assertThat(faults).isGreaterThan(10L * SEEDS);
    }

    private static PagingCounters race(int seed) {
        SplittableRandom chance = new SplittableRandom(seed);
        try (Paged paged = Paged.of(seed)) {
            byte[] ours = new byte[Paged.BYTES];
            byte[] theirs = new byte[Paged.BYTES];
            for (int i = 0; i < ours.length; i++) {
                ours[i] = (byte) (i * 31 + seed);
                theirs[i] = (byte) (i * 17 + seed + 1);
            }
            paged.a.memory().write(0, ours);
            paged.b.memory().write(0, theirs);
            List<CompletionStage<WorkCompletion>> stages = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                int at = i * OWN;
                int count = 1 + chance.nextInt(OWN);
                stages.add(paged.pair.a().qp().submit(request(paged, i, at, count, chance)));
                expect(i % 4, at, count, ours, theirs);
            }
            for (int i = 0; i < 60; i++) {
                paged.world.runFor(Duration.ofNanos(chance.nextLong(60_000)));
                disturb(paged, chance);
            }
            for (CompletionStage<WorkCompletion> stage : stages) {
                assertThat(paged.world.await(stage).isSuccess())
                        .as("seed %d", seed)
                        .isTrue();
            }
            paged.quiet();
            assertThat(paged.a.memory().read(0, Paged.BYTES))
                    .as("seed %d, here", seed)
                    .isEqualTo(ours);
            assertThat(paged.b.memory().read(0, Paged.BYTES))
                    .as("seed %d, there", seed)
                    .isEqualTo(theirs);
            return paged.ofB();
        }
    }

    private static RcWork request(Paged paged, int i, int at, int count, SplittableRandom chance) {
        return switch (i % 4) {
            case 0 -> RdmaWrite.of(i, paged.a.slice(at, count), paged.b.remote(at));
            case 1 -> RdmaRead.of(i, paged.a.slice(at, count), paged.b.remote(at));
            case 2 -> {
                paged.pair.b().qp().postReceive(Receive.of(i, paged.b.slice(at, OWN)));
                yield Send.of(i, paged.a.slice(at, count));
            }
            default -> FetchAdd.of(i, paged.a.slice(at, 8), paged.b.remote(at), 1);
        };
    }

    private static void expect(int kind, int at, int count, byte[] ours, byte[] theirs) {
        switch (kind) {
            case 0, 2 -> System.arraycopy(ours, at, theirs, at, count);
            case 1 -> System.arraycopy(theirs, at, ours, at, count);
            default -> {
                System.arraycopy(theirs, at, ours, at, 8);
                ByteBuffer word = ByteBuffer.wrap(theirs).order(ByteOrder.nativeOrder());
                word.putLong(at, word.getLong(at) + 1);
            }
        }
    }

    private static void disturb(Paged paged, SplittableRandom chance) {
        MemoryRegion region = chance.nextBoolean() ? paged.a : paged.b;
        int first = chance.nextInt(PAGES);
        int pages = 1 + chance.nextInt(PAGES - first);
        if (chance.nextInt(4) > 0) {
            region.memory().evict((long) first * PAGE, (long) pages * PAGE);
            return;
        }
        Purpose purpose = Purpose.values()[chance.nextInt(3)];
        (region == paged.a ? paged.pair.a() : paged.pair.b())
                .domain()
                .advise(Prefetch.of(purpose, region.slice((long) first * PAGE, pages * PAGE)));
    }

    // rules paging-suspends, paging-contention
    /** Every access faults, and its pages are evicted after it. */
    @Test
    void aFaultStormMakesProgress() {
        try (Paged paged = Paged.of(1)) {
            byte[] bytes = Paged.counted(Paged.BYTES);
            paged.a.memory().write(0, bytes);
            for (int i = 0; i < PAGES; i++) {
                paged.a.memory().evict(0, Paged.BYTES);
                paged.b.memory().evict(0, Paged.BYTES);
                WorkCompletion written = paged.world.await(paged.pair
                        .a()
                        .qp()
                        .submit(RdmaWrite.of(
                                i, paged.a.slice((long) i * PAGE, PAGE), paged.b.remote((long) i * PAGE))));
                assertThat(written.isSuccess()).isTrue();
            }
            assertThat(paged.b.memory().read(0, Paged.BYTES)).isEqualTo(bytes);
            assertThat(paged.ofA().pageFaults()).isGreaterThanOrEqualTo(PAGES);
            assertThat(paged.ofB().pageFaults()).isGreaterThanOrEqualTo(PAGES);
            assertThat(Arrays.asList(
                            paged.ofA().failedResolutions(), paged.ofB().failedResolutions()))
                    .containsOnly(0L);
        }
    }
}
