// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.region;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A key that is deregistered while traffic uses it. */
class DeregistrationRaceTest {
    private static final int SEEDS = Integer.getInteger("rdma.seeds", 80);
    private static final int REQUESTS = 60;
    private static final int AREA = 1 << 16;
    private static final byte SECRET = 0x5A;

    // rule memory-deregister
    @Test
    @Tag("nightly")
    void noByteIsCopiedAfterTheDeregistrationCompletes() {
        int cutShort = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            cutShort += race(seed, Watch.PROTOCOL) ? 1 : 0;
        }
        assertThat(cutShort)
                .as("runs in which the key went while traffic used it")
                .isGreaterThan(SEEDS / 2);
    }

    // rule memory-deregister
    /** Packets that no observer sees refer to the memory that they are sent from. */
    @Test
    @Tag("judge")
    void noLentByteIsReadAfterTheDeregistrationCompletes() {
        int cutShort = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            cutShort += race(seed, Watch.NOBODY) ? 1 : 0;
        }
        assertThat(cutShort)
                .as("runs in which the key went while traffic used it")
                .isGreaterThan(SEEDS / 4);
    }

    private static boolean race(int seed, Watch watch) {
        SplittableRandom chance = new SplittableRandom(seed);
        try (World world = World.of(WorldOptions.of(seed).with(watch))) {
            LinkProperties link = watch == Watch.NOBODY || chance.nextBoolean()
                    ? LinkProperties.IDEAL
                    : LinkProperties.of(700, 40_000_000_000L);
            Adapter a = world.network().addAdapter("a", Profile.CONNECTX_5, link);
            Adapter b = world.network().addAdapter("b", Profile.CONNECTX_5, link);
            RcConnection attributes = RcConnection.DEFAULT
                    .withTimeoutCode(10)
                    .withRetryCount(3)
                    .withRnrRetry(7)
                    .withMinRnrTimerCode(1);
            ConnectedPair pair = ConnectedPair.between(world.network(), a, b, Shape.DEFAULT.with(attributes));
            boolean takesLocal = chance.nextInt(4) == 0;
            long headStart = link.latencyNanos() == 0 ? 0 : chance.nextLong(20_000);
            return new Race(seed, world, pair, chance, takesLocal, headStart).run();
        }
    }

    /**
     * One race.
     *
     * @param headStartNanos time before the key is deregistered; without latency only the schedule decides
     */
    private record Race(
            int seed,
            World world,
            ConnectedPair pair,
            SplittableRandom chance,
            boolean takesLocal,
            long headStartNanos) {
        boolean run() {
            List<WorkCompletion> received = new ArrayList<>();
            pair.b().recvCq().completions().subscribe(Subscribers.forEach(received::add));
            for (int i = 0; i < REQUESTS; i++) {
                pair.b().qp().postReceive(Receive.of(i, pair.b().slice(AREA + i * 4096L, 4096)));
            }
            // Both sides have their leases and, on an ideal link, their direct paths.
            world.await(pair.a()
                    .qp()
                    .submit(RdmaRead.of(0, pair.a().slice(0, 8), pair.b().remote(0))));
            world.await(pair.a()
                    .qp()
                    .submit(RdmaRead.of(0, pair.a().slice(0, 8), pair.b().remote(0))));
            List<CompletionStage<WorkCompletion>> stages = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                stages.add(pair.a().qp().submit(request(i)));
            }
            if (headStartNanos > 0) {
                world.runFor(Duration.ofNanos(headStartNanos));
            }
            var victim = takesLocal ? pair.a() : pair.b();
            CompletionStage<Void> gone = victim.region().deregister();
            world.await(gone);

            byte[] secret = new byte[1 << 20];
            java.util.Arrays.fill(secret, SECRET);
            victim.memory().write(0, secret);
            long failures = 0;
            for (CompletionStage<WorkCompletion> stage : stages) {
                failures += world.await(stage).isSuccess() ? 0 : 1;
            }
            assertThat(world.runToQuiet(Duration.ofSeconds(5)))
                    .as("seed %d: quiet", seed)
                    .isTrue();
            assertThat(victim.memory().read(0, 1 << 20))
                    .as("seed %d: nothing was written after the key was gone", seed)
                    .isEqualTo(secret);
            var other = takesLocal ? pair.b() : pair.a();
            assertThat(other.memory().read(0, 1 << 20))
                    .as("seed %d: nothing was read after the key was gone", seed)
                    .doesNotContain(SECRET);
            assertThat(received.stream().map(WorkCompletion::workId).distinct().count())
                    .as("seed %d: each receive completes at most once", seed)
                    .isEqualTo(received.size());
            return failures > 0;
        }

        private RcWork request(int i) {
            int bytes = 1 + chance.nextInt(4000);
            long at = chance.nextInt(AREA / 2) & ~7L;
            return switch (chance.nextInt(4)) {
                case 0 -> Send.of(i, pair.a().slice(at, bytes));
                case 1 -> RdmaWrite.of(i, pair.a().slice(at, bytes), pair.b().remote(at));
                case 2 -> RdmaRead.of(i, pair.a().slice(at, bytes), pair.b().remote(at));
                default -> FetchAdd.of(i, pair.a().slice(at, 8), pair.b().remote(at), 1);
            };
        }
    }

    @Test
    void aSecondDeregistrationIsRefused() {
        try (World world = World.of(1)) {
            Adapter a = world.network().addAdapter("a", Profile.CONNECTX_5);
            Adapter b = world.network().addAdapter("b", Profile.CONNECTX_5);
            ConnectedPair pair = ConnectedPair.between(world.network(), a, b);
            world.await(pair.a().region().deregister());
            org.assertj.core.api.Assertions.assertThatThrownBy(
                            () -> world.await(pair.a().region().deregister()))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("EINVAL");
        }
    }
}
