// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.tests.key.IndirectSetup.ALL;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.StridedSlice;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.RcEnd;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An indirect key is changed or destroyed while traffic uses it. */
@Tag("nightly")
class IndirectRaceTest {
    private static final int SEEDS = Integer.getInteger("rdma.seeds", 60);
    private static final int REQUESTS = 40;
    private static final int BYTES = 3000;
    private static final int MEMORY = 1 << 20;
    private static final byte SECRET = 0x5A;

    /** Ways to end the access to the first half of the memory. */
    enum AccessEnd {
        PART_DEREGISTERED,
        FILLED_ANEW,
        INVALIDATED,
        KEY_CLOSED
    }

    // rules indirect-parts-gone, indirect-fill, indirect-invalidate, memory-change
    @ParameterizedTest
    @EnumSource
    void noByteOfTheOldLayoutIsAccessedAfterTheChange(AccessEnd accessEnd) {
        int used = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            used += race(seed, accessEnd) ? 1 : 0;
        }
        assertThat(used).as("runs in which traffic used what was shown before").isGreaterThan(SEEDS / 2);
    }

    private static boolean race(int seed, AccessEnd accessEnd) {
        RcConnection attributes =
                RcConnection.DEFAULT.withTimeoutCode(10).withRetryCount(3).withRnrRetry(7);
        try (IndirectSetup ground = new IndirectSetup(seed, attributes)) {
            return new Race(ground, seed, new SplittableRandom(seed)).run(accessEnd);
        }
    }

    private static final class Race {
        final IndirectSetup ground;
        final int seed;
        final SplittableRandom chance;
        /** The end with the key. */
        final RcEnd victim;

        final RcEnd other;
        final MemoryRegion part;
        final IndirectKey key;

        Race(IndirectSetup ground, int seed, SplittableRandom chance) {
            this.ground = ground;
            this.seed = seed;
            this.chance = chance;
            victim = chance.nextBoolean() ? ground.a : ground.b;
            other = victim == ground.a ? ground.b : ground.a;
            part = ground.region(victim, ALL);
            key = ground.key(victim, layout(part, 0));
        }

        private KeyLayout layout(MemoryRegion region, long offset) {
            long at = region.address() + offset;
            return KeyLayout.interleaved(
                    BYTES,
                    new StridedSlice(region.lkey(), at + 5, 3, 7),
                    new StridedSlice(region.lkey(), at + 100_000, 1, 2));
        }

        boolean run(AccessEnd accessEnd) {
            for (int i = 0; i < REQUESTS; i++) {
                ground.b.qp().postReceive(Receive.of(i, into(i)));
            }
            List<CompletionStage<WorkCompletion>> stages = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                stages.add(ground.a.qp().submit(request(i)));
            }
            // At any point of the traffic, also when nothing takes time.
            for (int i = chance.nextInt(REQUESTS); i > 0; i--) {
                ground.world.await(stages.get(i));
                break;
            }
            boolean done = strike(accessEnd);
            byte[] secret = new byte[MEMORY / 2];
            Arrays.fill(secret, SECRET);
            victim.memory().write(0, secret);
            stages.forEach(ground.world::await);
            assertThat(ground.world.runToQuiet(Duration.ofSeconds(5)))
                    .as("seed %d: quiet", seed)
                    .isTrue();
            if (done) {
                assertThat(Arrays.mismatch(victim.memory().read(0, MEMORY / 2), secret))
                        .as("seed %d: nothing is written behind it, where the first other byte is", seed)
                        .isEqualTo(-1);
                assertThat(firstSecret(other.memory().read(0, MEMORY)))
                        .as("seed %d: nothing is read behind it, where the first such byte is", seed)
                        .isEqualTo(-1);
            }
            return done;
        }

        private static int firstSecret(byte[] bytes) {
            for (int i = 0; i < bytes.length; i++) {
                if (bytes[i] == SECRET) {
                    return i;
                }
            }
            return -1;
        }

        /** Ends the access; false if the request for that was flushed, since another one had failed before. */
        private boolean strike(AccessEnd accessEnd) {
            return switch (accessEnd) {
                case PART_DEREGISTERED -> {
                    ground.world.await(part.deregister());
                    yield true;
                }
                case KEY_CLOSED -> {
                    ground.world.await(key.closeAsync());
                    yield true;
                }
                case FILLED_ANEW ->
                    changes(FillKey.of(99, key, layout(victim.region(), MEMORY / 2))
                            .withAccess(ALL));
                case INVALIDATED -> changes(LocalInvalidate.of(99, key.lkey()));
            };
        }

        private boolean changes(RcWork request) {
            return ground.world.await(victim.qp().submit(request)).isSuccess();
        }

        private org.hcaactors.api.memory.LocalSlice into(int i) {
            return victim == ground.b ? key.slice(i, BYTES) : ground.b.slice(MEMORY / 2 + i, BYTES);
        }

        private RcWork request(int i) {
            var local = victim == ground.a ? key.slice(i, BYTES) : ground.a.slice(MEMORY / 2 + i, BYTES);
            var remote = victim == ground.b ? key.remote(i) : ground.b.remote(MEMORY / 2 + i);
            return switch (chance.nextInt(3)) {
                case 0 -> Send.of(i, local);
                case 1 -> RdmaWrite.of(i, local, remote);
                default -> RdmaRead.of(i, local, remote);
            };
        }
    }
}
