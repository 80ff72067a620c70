// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.paging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.tests.paging.Paged.PAGE;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.capability.PagingCapabilities.Feature;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.PageLatency;
import org.hcaactors.api.device.PagingCounters;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Prefetch;
import org.hcaactors.api.memory.Prefetch.Purpose;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.link.Interceptor;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.junit.jupiter.api.Test;

/**
 * Regions on demand whose pages are evicted and prefetched meanwhile, over a wire that loses, delays and duplicates: exactly
 * once.
 */
class LossyPagesTest {
    private static final int SEEDS = Integer.getInteger("rdma.seeds", 12);
    private static final int REQUESTS = 24;

    /** Bytes of each request's own area. */
    private static final int OWN = 2 * PAGE;

    private static final int BYTES = REQUESTS * OWN;

    // rules paging-rnr, paging-response, paging-stream, paging-gather, rc-go-back-once
    @Test
    void messagesArriveOnceDespiteLossAndAbsentPages() {
        for (int seed = 0; seed < SEEDS; seed++) {
            new Run(seed).run();
        }
    }

    private static final class Run {
        final int seed;
        final SplittableRandom chance;
        final byte[] ours = new byte[BYTES];
        final byte[] theirs = new byte[BYTES];

        Run(int seed) {
            this.seed = seed;
            chance = new SplittableRandom(seed);
            chance.nextBytes(ours);
            chance.nextBytes(theirs);
        }

        void run() {
            PageLatency latency = PageLatency.DEFAULT
                    .withFault(Duration.ofNanos(chance.nextInt(3) == 0 ? 0 : chance.nextInt(400_000)))
                    .withReadBack(Duration.ofNanos(chance.nextInt(5_000)))
                    .withInvalidation(Duration.ofNanos(chance.nextInt(60_000)));
            WorldOptions options = WorldOptions.of(seed).with(HostMachine.DEFAULT.withPageLatency(latency));
            try (World world = World.of(options)) {
                LinkProperties link = LinkProperties.of(500 + chance.nextInt(2000), 25_000_000_000L);
                Profile profile = profile();
                Adapter here = world.network().addAdapter("a", profile, link);
                Adapter there = world.network().addAdapter("b", profile, link);
                QpCapacity capacity = QpCapacity.of(64).withMaxSge(3);
                ConnectedPair pair = ConnectedPair.between(
                        world.network(), here, there, new Shape(attributes(), capacity, 255, PAGE));
                MemoryRegion a = region(world, pair.a(), ours);
                MemoryRegion b = region(world, pair.b(), theirs);
                weather(world);
                List<CompletionStage<WorkCompletion>> stages = new ArrayList<>();
                for (int i = 0; i < REQUESTS; i++) {
                    stages.add(pair.a().qp().submit(request(i, pair, a, b)));
                }
                disturb(world, pair, a, b);
                for (CompletionStage<WorkCompletion> stage : stages) {
                    assertThat(world.await(stage, Duration.ofSeconds(100)).status())
                            .as("seed %d", seed)
                            .isEqualTo(Status.SUCCESS);
                }
                world.network().intercept(Interceptor.NONE);
                assertThat(world.runToQuiet(Duration.ofSeconds(20))).isTrue();
                assertThat(Arrays.equals(a.memory().read(0, BYTES), ours))
                        .as("seed %d, here", seed)
                        .isTrue();
                assertThat(Arrays.equals(b.memory().read(0, BYTES), theirs))
                        .as("seed %d, there", seed)
                        .isTrue();
                world.await(a.deregister());
                world.await(b.deregister());
                nothingIsLeft(here.pagingCounters());
                nothingIsLeft(there.pagingCounters());
            }
        }

        private Profile profile() {
            Profile some = Profile.CONNECTX_5.with(
                    Profile.CONNECTX_5.paging().withRnrTimer(chance.nextInt(3) == 0 ? 0 : 1 + chance.nextInt(14)));
            return chance.nextInt(5) == 0 ? some.with(some.paging().with(Feature.HOST_TABLES)) : some;
        }

        private RcConnection attributes() {
            return RcConnection.DEFAULT
                    .withTimeoutCode(8 + chance.nextInt(3))
                    .withRetryCount(7)
                    .withRnrRetry(7)
                    .withSendPsn(0xFFFFE0 + chance.nextInt(32))
                    .withReceivePsn(chance.nextInt(1 << 24));
        }

        private void weather(World world) {
            world.network().intercept(transit -> switch (chance.nextInt(40)) {
                case 0 -> new Verdict.Drop("chance");
                case 1 -> new Verdict.Delay("chance", chance.nextInt(300_000));
                case 2 -> new Verdict.Duplicate("chance", chance.nextInt(300_000));
                default -> Verdict.PASS;
            });
        }

        /** Returns a request of three parts, which end anywhere in their pages. */
        private RcWork request(int i, ConnectedPair pair, MemoryRegion a, MemoryRegion b) {
            int at = i * OWN;
            int count = 1 + chance.nextInt(OWN - 64);
            int first = chance.nextInt(count + 1);
            int next = chance.nextInt(count - first + 1);
            LocalSlice[] parts = {
                a.slice(at, first), a.slice(at + first, next), a.slice(at + first + next, count - first - next)
            };
            switch (chance.nextInt(5)) {
                case 0 -> {
                    System.arraycopy(ours, at, theirs, at, count);
                    return RdmaWrite.of(i, List.of(parts), b.remote(at));
                }
                case 1 -> {
                    System.arraycopy(theirs, at, ours, at, count);
                    return RdmaRead.of(i, List.of(parts), b.remote(at)).withFence();
                }
                case 2 -> {
                    pair.b().qp().postReceive(Receive.of(i, b.slice(at, PAGE), b.slice(at + PAGE, OWN - PAGE)));
                    System.arraycopy(ours, at, theirs, at, count);
                    return Send.of(i, parts);
                }
                case 3 -> {
                    System.arraycopy(theirs, at, ours, at, Long.BYTES);
                    ByteBuffer word = ByteBuffer.wrap(theirs).order(ByteOrder.nativeOrder());
                    word.putLong(at, word.getLong(at) + 1);
                    return FetchAdd.of(i, a.slice(at, Long.BYTES), b.remote(at), 1);
                }
                default -> {
                    pair.b().qp().postReceive(Receive.of(i));
                    System.arraycopy(ours, at, theirs, at, count);
                    return RdmaWrite.of(i, List.of(parts), b.remote(at)).withImmediate(3);
                }
            }
        }

        private void disturb(World world, ConnectedPair pair, MemoryRegion a, MemoryRegion b) {
            for (int i = 0; i < 60; i++) {
                world.runFor(Duration.ofNanos(chance.nextLong(200_000)));
                boolean ofA = chance.nextBoolean();
                MemoryRegion region = ofA ? a : b;
                int from = chance.nextInt(BYTES);
                int count = 1 + chance.nextInt(BYTES - from);
                if (chance.nextInt(4) > 0) {
                    region.memory().evict(from, count);
                } else {
                    Purpose purpose = Purpose.values()[chance.nextInt(3)];
                    (ofA ? pair.a() : pair.b()).domain().advise(Prefetch.of(purpose, region.slice(from, count)));
                }
            }
        }

        private static MemoryRegion region(World world, RcEnd end, byte[] bytes) {
            MemoryRegion region = world.await(end.domain()
                    .register(Registration.of(end.context().process().allocate(BYTES))
                            .withOnDemandPaging()
                            .withAccess(AccessFlags.LOCAL_AND_REMOTE)));
            region.memory().write(0, bytes);
            return region;
        }

        private void nothingIsLeft(PagingCounters counters) {
            assertThat(counters.regions()).as("seed %d", seed).isZero();
            assertThat(counters.regionPages()).as("seed %d", seed).isZero();
            assertThat(counters.prefetchesUnderWay()).as("seed %d", seed).isZero();
            assertThat(counters.failedResolutions()).as("seed %d", seed).isZero();
        }
    }
}
