// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.dc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.DcStreams;
import org.hcaactors.client.pool.DciPolicy;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pools over the whole transport: targets count the requests they get, so each answer shows its place in the order. */
@Tag("judge")
class DciPoolTrafficTest {
    private static final int TARGETS = 6;
    private static final int EACH = 12;

    private static List<Integer> order(long seed, int requests) {
        return new Random(seed).ints(requests, 0, TARGETS).boxed().toList();
    }

    private static void answeredInOrder(PoolSetup pool, List<PoolSetup.Asking> asked) {
        long[] next = new long[TARGETS];
        for (PoolSetup.Asking asking : asked) {
            assertThat(pool.ground.await(asking.answer()).status()).isEqualTo(Status.SUCCESS);
            assertThat(pool.place(asking)).isEqualTo(next[asking.target()]++);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hashed", "exclusive", "quota", "hybrid", "random", "streams"})
    void denseTrafficIsAnsweredInOrderWithAnyNumberOfInitiators(String policy) {
        for (int initiators = policy.equals("hybrid") ? 2 : 1; initiators <= 4; initiators++) {
            try (World world = World.of(initiators)) {
                PoolSetup pool = new PoolSetup(
                        world, TARGETS, initiators, Objects.requireNonNull(PoolSetup.POLICIES.get(policy)));
                answeredInOrder(pool, pool.askAll(order(initiators, TARGETS * EACH)));
                assertThat(pool.pool.statistics().posted()).isEqualTo(TARGETS * EACH);
                pool.close();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hashed", "exclusive", "quota", "hybrid", "random", "streams"})
    void sparseTrafficIsAnsweredInOrderWithAnyNumberOfInitiators(String policy) {
        for (int initiators = policy.equals("hybrid") ? 2 : 1; initiators <= 4; initiators++) {
            try (World world = World.of(initiators)) {
                PoolSetup pool = new PoolSetup(
                        world, TARGETS, initiators, Objects.requireNonNull(PoolSetup.POLICIES.get(policy)));
                List<PoolSetup.Asking> asked = new ArrayList<>();
                for (int target : order(initiators, TARGETS * 4)) {
                    asked.add(pool.ask(target));
                    pool.ground.await(asked.getLast().answer());
                    world.runFor(Duration.ofNanos(20_000));
                }
                answeredInOrder(pool, asked);
                assertThat(pool.pool.statistics().waits()).isZero();
                pool.close();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hashed", "exclusive", "quota", "hybrid", "random", "streams"})
    void aWrongKeyFailsItsOwnTargetOnly(String policy) {
        try (World world = World.of(5)) {
            PoolSetup pool = new PoolSetup(world, TARGETS, 2, Objects.requireNonNull(PoolSetup.POLICIES.get(policy)));
            DcAddress wrong = pool.to(pool.targets.getFirst(), DcSetup.KEY + 1);
            List<PoolSetup.Asking> good = new ArrayList<>();
            List<PoolSetup.Asking> bad = new ArrayList<>();
            for (int round = 0; round < 4; round++) {
                for (int target = 1; target < TARGETS; target++) {
                    good.add(pool.ask(target));
                }
                bad.add(pool.ask(0, wrong));
            }
            answeredInOrder(pool, good);
            List<Status> told = bad.stream()
                    .map(asking -> pool.ground.await(asking.answer()).status())
                    .toList();
            assertThat(told.getFirst()).isEqualTo(Status.REM_ACCESS_ERR);
            assertThat(told).containsOnly(Status.REM_ACCESS_ERR, Status.WR_FLUSH_ERR);
            answeredInOrder(pool, List.of(pool.ask(0)));
            pool.close();
            assertThat(pool.pool.statistics().recoveries()).isPositive();
        }
    }

    /** The first stream in error moves the initiator to error; 32 requests are on its send queue, and the others wait. */
    @Test
    void anErrorOfAnotherStreamFailsOnlyStartedRequests() {
        try (World world = World.of(7)) {
            PoolSetup pool = new PoolSetup(world, 2, 1, new DciPolicy.Streams(new DcStreams(2, 0)));
            List<PoolSetup.Asking> good = new ArrayList<>();
            for (int request = 0; request < 200; request++) {
                good.add(pool.ask(1));
            }
            PoolSetup.Asking bad = pool.ask(0, pool.to(pool.targets.getFirst(), DcSetup.KEY + 1));
            List<Status> told = good.stream()
                    .map(asking -> pool.ground.await(asking.answer()).status())
                    .toList();
            assertThat(pool.ground.await(bad.answer()).status()).isEqualTo(Status.REM_ACCESS_ERR);
            assertThat(told).containsOnly(Status.SUCCESS, Status.WR_FLUSH_ERR);
            assertThat(Collections.frequency(told, Status.WR_FLUSH_ERR)).isBetween(1, 32);
            pool.close();
        }
    }

    /** One target gets requests without a pause, another one a single request. */
    @Test
    void underAQuotaASingleRequestIsServed() {
        assertThat(answeredBeforeTheGuest(new DciPolicy.Quota(4))).isLessThan(20);
        assertThat(answeredBeforeTheGuest(new DciPolicy.Exclusive())).isGreaterThan(100);
    }

    private static int answeredBeforeTheGuest(DciPolicy policy) {
        try (World world = World.of(3)) {
            PoolSetup pool = new PoolSetup(world, TARGETS, 1, policy);
            int[] answered = {0};
            for (int stream = 0; stream < 3; stream++) {
                goOn(pool, answered, 0);
            }
            CompletableFuture<Integer> before = pool.ask(1).answer().thenApply(done -> answered[0]);
            return pool.ground.await(before);
        }
    }

    private static void goOn(PoolSetup pool, int[] answered, int rounds) {
        if (rounds < 50) {
            CompletableFuture<WorkCompletion> answer = pool.ask(0).answer();
            answer.thenRun(() -> {
                answered[0]++;
                goOn(pool, answered, rounds + 1);
            });
        }
    }

    @Test
    void twoAlternateTargetsStayConnectedByTwoHashedInitiators() {
        assertThat(connects(2)).isEqualTo(2);
        assertThat(connects(1)).isEqualTo(20);
    }

    private static long connects(int initiators) {
        try (World world = World.of(4)) {
            PoolSetup pool = new PoolSetup(world, 2, initiators, new DciPolicy.Hashed());
            for (int request = 0; request < 20; request++) {
                pool.ground.await(pool.ask(request % 2).answer());
            }
            pool.close();
            return pool.connects();
        }
    }

    /**
     * Requests to many targets in one send queue switch each time; a target that has the initiator alone gets all requests of
     * its quota.
     */
    @Test
    void underLoadAQuotaConnectsLessOftenThanHashing() {
        assertThat(connectsWhenAllAskAtOnce(new DciPolicy.Quota(8)))
                .isLessThan(connectsWhenAllAskAtOnce(new DciPolicy.Hashed()) / 3);
    }

    private static long connectsWhenAllAskAtOnce(DciPolicy policy) {
        try (World world = World.of(4)) {
            PoolSetup pool = new PoolSetup(world, TARGETS, 2, policy);
            answeredInOrder(pool, pool.askAll(order(4, TARGETS * EACH)));
            pool.close();
            return pool.connects();
        }
    }

    /** Three targets in turn, and occasionally another one. */
    @Test
    void hashingConnectsLessOftenForFewFrequentTargets() {
        assertThat(connectsWhenFewAreAskedOften(new DciPolicy.Hashed()))
                .isLessThan(connectsWhenFewAreAskedOften(new DciPolicy.Exclusive()) / 2);
    }

    private static long connectsWhenFewAreAskedOften(DciPolicy policy) {
        try (World world = World.of(4)) {
            PoolSetup pool = new PoolSetup(world, TARGETS, 4, policy);
            for (int request = 0; request < 60; request++) {
                int target = request % 10 == 9 ? 3 + request / 10 % 3 : request % 3;
                pool.ground.await(pool.ask(target).answer());
            }
            pool.close();
            return pool.connects();
        }
    }
}
