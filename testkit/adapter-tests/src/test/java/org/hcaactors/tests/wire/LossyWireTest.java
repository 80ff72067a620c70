// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.link.PacketInTransit;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two adapters that send in both directions over a wire that drops, delays, reorders and duplicates. */
@Tag("judge")
class LossyWireTest {
    private static final int SEEDS = Integer.getInteger("rdma.seeds", 60);
    private static final int REQUESTS = 40;
    private static final int CELL = 4096;

    @Test
    void everyRequestCompletesOnceInOrderAndEveryByteArrives() {
        for (int seed = 0; seed < SEEDS; seed++) {
            talk(seed);
        }
    }

    private static void talk(int seed) {
        SplittableRandom chance = new SplittableRandom(seed);
        try (World world = World.of(seed)) {
            LinkProperties link = LinkProperties.of(500 + chance.nextInt(2000), 25_000_000_000L);
            Adapter a = world.network().addAdapter("a", Profile.SOFT_ROCE, link);
            Adapter b = world.network().addAdapter("b", Profile.SOFT_ROCE, link);
            RcConnection attributes = RcConnection.DEFAULT
                    .withTimeoutCode(6)
                    .withRetryCount(7)
                    .withRnrRetry(7)
                    .withMinRnrTimerCode(1)
                    .withSendPsn(0xFFFFE0 + chance.nextInt(32))
                    .withReceivePsn(chance.nextInt(1 << 24));
            ConnectedPair pair = ConnectedPair.between(
                    world.network(),
                    a,
                    b,
                    new Shape(attributes, QpCapacity.of(64).withMaxSge(2).withMaxInlineBytes(0), 255, 1 << 20));
            List<Long> received = new ArrayList<>();
            pair.b().recvCq().completions().subscribe(Subscribers.forEach(wc -> received.add(wc.workId())));
            world.network().intercept(transit -> judge(transit, chance));

            byte[] source = new byte[REQUESTS * CELL];
            chance.nextBytes(source);
            pair.a().memory().write(0, source);
            long sends = 0;
            List<CompletionStage<WorkCompletion>> stages = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                if (i % 4 == 0) {
                    pair.b().qp().postReceive(Receive.of(sends++, pair.b().slice((long) i * CELL, CELL)));
                }
                stages.add(pair.a().qp().submit(request(pair, i)));
            }
            for (int i = 0; i < REQUESTS; i++) {
                assertThat(world.await(stages.get(i), Duration.ofSeconds(100)).status())
                        .as("seed %d, request %d", seed, i)
                        .isEqualTo(Status.SUCCESS);
            }
            world.settle();
            check(pair, source, seed);
            assertThat(received)
                    .as("seed %d: each message once, in order", seed)
                    .containsExactlyElementsOf(
                            LongStream.range(0, sends).boxed().toList());
        }
    }

    /** Returns in turn a SEND, a WRITE, a READ of what was written, and an atomic. */
    private static RcWork request(ConnectedPair pair, int i) {
        long cell = (long) i * CELL;
        return switch (i % 4) {
            case 0 -> Send.of(i, pair.a().slice(cell, CELL));
            case 1 -> RdmaWrite.of(i, pair.a().slice(cell, CELL), pair.b().remote(cell));
            case 2 ->
                RdmaRead.of(i, pair.a().slice(500_000 + cell, CELL), pair.b().remote(cell - CELL))
                        .withFence();
            default ->
                FetchAdd.of(i, pair.a().slice(900_000 + i * 8L, 8), pair.b().remote(900_000), 1);
        };
    }

    private static void check(ConnectedPair pair, byte[] source, int seed) {
        for (int i = 0; i < REQUESTS; i++) {
            long cell = (long) i * CELL;
            byte[] sent = java.util.Arrays.copyOfRange(source, i * CELL, (i + 1) * CELL);
            if (i % 4 <= 1) {
                assertThat(pair.b().memory().read(cell, CELL))
                        .as("seed %d, cell %d", seed, i)
                        .isEqualTo(sent);
            }
            if (i % 4 == 2) {
                byte[] before = java.util.Arrays.copyOfRange(source, (i - 1) * CELL, i * CELL);
                assertThat(pair.a().memory().read(500_000 + cell, CELL))
                        .as("seed %d, READ %d", seed, i)
                        .isEqualTo(before);
            }
            if (i % 4 == 3) {
                assertThat(pair.a().memory().readLong(900_000 + i * 8L))
                        .as("seed %d, atomic %d", seed, i)
                        .isEqualTo(i / 4);
            }
        }
        assertThat(pair.b().memory().readLong(900_000)).isEqualTo(REQUESTS / 4);
    }

    private static Verdict judge(PacketInTransit transit, SplittableRandom chance) {
        return switch (chance.nextInt(20)) {
            case 0, 1 -> new Verdict.Drop("chance");
            case 2 -> new Verdict.Delay("chance", chance.nextInt(20_000));
            case 3 -> new Verdict.Duplicate("chance", chance.nextInt(20_000));
            default -> Verdict.PASS;
        };
    }
}
