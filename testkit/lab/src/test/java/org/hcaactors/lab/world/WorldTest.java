// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.Sink;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.network.Sources;
import org.junit.jupiter.api.Test;

class WorldTest {
    private static ConnectedPair pair(World world, RcConnection attributes) {
        LinkProperties link = LinkProperties.of(1000, 100_000_000_000L);
        Adapter a = world.network().addAdapter("a", Profile.CONNECTX_5, link);
        Adapter b = world.network().addAdapter("b", Profile.CONNECTX_5, link);
        return ConnectedPair.between(world.network(), a, b, Shape.DEFAULT.with(attributes));
    }

    private static String run(long seed) {
        try (World world = World.of(seed)) {
            ConnectedPair pair = pair(world, RcConnection.DEFAULT);
            List<CompletionStage<WorkCompletion>> stages = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                stages.add(pair.a()
                        .qp()
                        .submit(RdmaWrite.of(
                                i, pair.a().slice(0, 3000), pair.b().remote(0))));
                stages.add(pair.b()
                        .qp()
                        .submit(RdmaWrite.of(
                                i, pair.b().slice(0, 3000), pair.a().remote(0))));
            }
            stages.forEach(world::await);
            return world.trace().events().toString();
        }
    }

    @Test
    void equalSeedsGiveEqualTraces() {
        for (long seed = 1; seed <= 5; seed++) {
            assertThat(run(seed)).isEqualTo(run(seed));
        }
    }

    @Test
    void differentSeedsGiveDifferentOrders() {
        Set<String> traces = new LinkedHashSet<>();
        for (long seed = 1; seed <= 10; seed++) {
            traces.add(run(seed));
        }
        assertThat(traces).hasSizeGreaterThan(3);
    }

    @Test
    void virtualTimeIsExactToTheNanosecond() {
        try (World world = World.of(3)) {
            ConnectedPair pair =
                    pair(world, RcConnection.DEFAULT.withTimeoutCode(14).withRetryCount(0));
            world.network().intercept(transit -> new Verdict.Drop("everything"));
            world.settle();
            long start = world.now();
            WorkCompletion wc = world.await(pair.a()
                    .qp()
                    .submit(RdmaWrite.of(1, pair.a().slice(0, 8), pair.b().remote(0))));
            assertThat(wc.status()).isEqualTo(Status.RETRY_EXC_ERR);
            assertThat(world.now() - start).isEqualTo(4096L << 14);
        }
    }

    @Test
    void anHourOfVirtualTimePassesAtOnce() {
        try (World world = World.of(3)) {
            pair(world, RcConnection.DEFAULT);
            world.runFor(Duration.ofHours(1));
            assertThat(world.now()).isGreaterThanOrEqualTo(Duration.ofHours(1).toNanos());
        }
    }

    @Test
    void anAwaitThatCanNeverCompleteIsAStallWithItsReasons() {
        try (World world = World.of(3)) {
            ConnectedPair pair =
                    pair(world, RcConnection.DEFAULT.withTimeoutCode(0).withRetryCount(1));
            world.network().intercept(transit -> new Verdict.Drop("everything"));
            CompletionStage<WorkCompletion> stage = pair.a()
                    .qp()
                    .submit(RdmaWrite.of(4711, pair.a().slice(0, 8), pair.b().remote(0)));
            assertThatThrownBy(() -> world.await(stage))
                    .isInstanceOf(WorldStalledException.class)
                    .hasMessageContaining("no timer is armed")
                    .hasMessageContaining(pair.a().label() + " request 4711 (RDMA_WRITE 8 bytes)")
                    .hasMessageContaining("seed 3");
        }
    }

    @Test
    void anAwaitThatExceedsItsTimeIsAStall() {
        try (World world = World.of(3)) {
            ConnectedPair pair = pair(world, RcConnection.DEFAULT);
            CompletionStage<WorkCompletion> stage =
                    pair.a().qp().submit(Send.of(1, pair.a().slice(0, 8)));
            assertThatThrownBy(() -> world.await(stage, Duration.ofMillis(3)))
                    .isInstanceOf(WorldStalledException.class)
                    .hasMessageContaining("not complete within PT0.003S of virtual time");
        }
    }

    @Test
    void streamsRunInTheWorldsTimeByTheSystemsMaterializerOrByAnother() {
        try (World world = World.of(3)) {
            ConnectedPair pair = pair(world, RcConnection.DEFAULT);
            Materializer another = Materializer.createMaterializer(world.system()); // blocks until its guardian answers
            var first = Sources.completions(pair.a().sendCq()).take(2).runWith(Sink.seq(), another);
            for (int i = 0; i < 4; i++) {
                pair.a()
                        .qp()
                        .post(RdmaWrite.of(i, pair.a().slice(0, 8), pair.b().remote(0))
                                .withSignaled());
            }
            assertThat(world.await(first)).extracting(WorkCompletion::workId).containsExactly(0L, 1L);
            var rest = Sources.completions(pair.a().sendCq()).take(2).runWith(Sink.seq(), world.system());
            assertThat(world.await(rest)).extracting(WorkCompletion::workId).containsExactly(2L, 3L);
            another.shutdown();
            world.settle();
        }
    }

    @Test
    void aTaskFromAForeignThreadFailsTheWorldByName() throws InterruptedException {
        World world = World.of(3);
        ConnectedPair pair = pair(world, RcConnection.DEFAULT);
        Thread stranger = new Thread(
                () -> {
                    try {
                        pair.a().qp().query();
                    } catch (RuntimeException rejected) {
                        // the world refuses and remembers
                    }
                },
                "a-stranger");
        stranger.start();
        assertThat(stranger.join(Duration.ofSeconds(20)))
                .as("the stranger ended")
                .isTrue();
        assertThatThrownBy(world::settle)
                .isInstanceOf(WorldLeakException.class)
                .hasMessageContaining("foreign thread a-stranger");
    }

    @Test
    void aWorldIsRunByItsOwnThreadOnly() {
        World world = World.of(3);
        CompletableFuture<Void> elsewhere = CompletableFuture.runAsync(world::settle);
        assertThatThrownBy(elsewhere.orTimeout(60, TimeUnit.SECONDS)::join)
                .hasMessageContaining("this world belongs to thread");
        world.close();
    }

    @Test
    void manyWorldsRunSideBySide() {
        List<CompletableFuture<String>> runs = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            runs.add(CompletableFuture.supplyAsync(() -> run(9)));
        }
        Set<String> traces = new LinkedHashSet<>();
        runs.forEach(run -> traces.add(run.orTimeout(60, TimeUnit.SECONDS).join()));
        assertThat(traces).hasSize(1);
    }

    @Test
    void anUnlimitedWaitLastsUntilNothingIsPending() {
        Duration ever = Duration.ofSeconds(Long.MAX_VALUE);
        try (World world = World.of(1)) {
            world.runFor(Duration.ofMillis(1));
            assertThat(world.await(CompletableFuture.completedStage("done"), ever))
                    .isEqualTo("done");
            assertThat(world.await(
                            world.network()
                                    .addAdapter("a", Profile.CONNECTX_5)
                                    .process("app")
                                    .open()
                                    .createCq(1),
                            ever))
                    .isNotNull();
            assertThat(world.runToQuiet(ever)).isTrue();
            assertThatThrownBy(() -> world.await(new CompletableFuture<>(), ever))
                    .isInstanceOf(WorldStalledException.class);
            assertThatThrownBy(() -> world.await(new CompletableFuture<>(), Duration.ofSeconds(Long.MIN_VALUE)))
                    .isInstanceOf(WorldStalledException.class);
        }
    }

    @Test
    void virtualTimeBeyondTheMaximumIsRefused() {
        try (World world = World.of(1)) {
            for (Duration time :
                    List.of(Duration.ofSeconds(Long.MAX_VALUE), Duration.ofDays(36_501), Duration.ofNanos(-1))) {
                assertThatThrownBy(() -> world.runFor(time))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("runFor(" + time + ") at 0 ns; 0 to PT876000H of virtual time in all is allowed");
            }
        }
    }

    @Test
    void libraryExtensionsStartInSortedOrder() {
        try (World world = World.of(1)) {
            assertThat(world.system().settings().config().getStringList("pekko.library-extensions"))
                    .hasSizeGreaterThan(1)
                    .isSortedAccordingTo(Comparator.reverseOrder());
        }
    }
}
