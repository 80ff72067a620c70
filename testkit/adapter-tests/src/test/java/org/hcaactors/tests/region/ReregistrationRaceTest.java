// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.region;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.memory.Reregistration.Change;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A region moves to other memory while traffic uses it: the old memory is then the program's alone. */
@Tag("nightly")
class ReregistrationRaceTest {
    private static final int SEEDS = Integer.getInteger("rdma.seeds", 200);
    private static final int REQUESTS = 40;
    private static final int BYTES = 1 << 16;
    private static final byte SECRET = 0x5A;

    // rule memory-reregister
    @Test
    void memoryOfAReregisteredRegionIsNeitherReadNorWritten() {
        int cutShort = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            cutShort += race(seed) ? 1 : 0;
        }
        assertThat(cutShort).as("runs in which it moved under traffic").isGreaterThan(SEEDS / 2);
    }

    private static boolean race(int seed) {
        SplittableRandom chance = new SplittableRandom(seed);
        try (World world = World.of(seed)) {
            LinkProperties link = chance.nextBoolean() ? LinkProperties.IDEAL : LinkProperties.of(700, 40_000_000_000L);
            Adapter a = world.network().addAdapter("a", Profile.CONNECTX_6, link);
            Adapter b = world.network().addAdapter("b", Profile.CONNECTX_6, link);
            RcConnection attributes = RcConnection.DEFAULT.withTimeoutCode(10).withRetryCount(3);
            Shape shape = Shape.DEFAULT.with(attributes).withMemoryBytes(BYTES);
            ConnectedPair pair = ConnectedPair.between(world.network(), a, b, shape);
            return new Race(seed, world, pair, chance).run(link.latencyNanos() > 0);
        }
    }

    private record Race(int seed, World world, ConnectedPair pair, SplittableRandom chance) {
        boolean run(boolean takesTime) {
            MemoryRegion region = pair.b().region();
            HostMemory left = region.memory();
            // The double size needs another key.
            HostMemory next = pair.b().context().process().allocate((long) BYTES << chance.nextInt(2));
            List<CompletionStage<WorkCompletion>> stages = new ArrayList<>();
            RemoteAddress where = region.remote(0);
            for (int i = 0; i < REQUESTS; i++) {
                stages.add(pair.a().qp().submit(request(i, where)));
            }
            if (takesTime) {
                world.runFor(Duration.ofNanos(chance.nextLong(20_000)));
            }
            world.await(region.reregister(Reregistration.of(Change.TRANSLATION).withTranslation(next)));
            byte[] secret = new byte[BYTES];
            Arrays.fill(secret, SECRET);
            left.write(0, secret);
            long failures = 0;
            for (CompletionStage<WorkCompletion> stage : stages) {
                failures += world.await(stage).isSuccess() ? 0 : 1;
            }
            assertThat(world.runToQuiet(Duration.ofSeconds(5)))
                    .as("seed %d", seed)
                    .isTrue();
            assertThat(left.read(0, BYTES)).as("seed %d: written", seed).isEqualTo(secret);
            assertThat(pair.a().memory().read(0, BYTES))
                    .as("seed %d: read", seed)
                    .doesNotContain(SECRET);
            left.close();
            return failures > 0;
        }

        private RcWork request(int i, RemoteAddress where) {
            int bytes = 1 + chance.nextInt(8000);
            long at = chance.nextInt(BYTES / 2) & ~7L;
            return switch (chance.nextInt(3)) {
                case 0 -> RdmaWrite.of(i, pair.a().slice(at, bytes), where.plus(at));
                case 1 -> RdmaRead.of(i, pair.a().slice(at, bytes), where.plus(at));
                default -> FetchAdd.of(i, pair.a().slice(at, 8), where.plus(at), 1);
            };
        }
    }
}
