// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hcaactors.judge.floor.ActorRing;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * RC SENDs of 64 bytes over many connections of one network, window 64, on one shard and on two; next to the floor of one thread.
 * Beside them, what two threads do that have nothing to do with each other: two floors, and two networks. On a machine of two
 * processors or more.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 9, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseParallelGC"})
public class ShardsBenchmark {
    static final int OPERATIONS = 200_000;
    static final int WINDOW = 64;
    static final int PAIRS = 8;

    @State(Scope.Benchmark)
    public static class Floors {
        private ActorRing one = new ActorRing(WINDOW);
        private ActorRing other = new ActorRing(WINDOW);

        @TearDown(Level.Trial)
        public void close() {
            one.close();
            other.close();
        }
    }

    @State(Scope.Benchmark)
    public static class OneShard {
        private ShardLoop loop = new ShardLoop(1, PAIRS, WINDOW, pair -> 0, pair -> 0);

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @State(Scope.Benchmark)
    public static class TwoShards {
        private ShardLoop loop = new ShardLoop(2, PAIRS, WINDOW, pair -> pair % 2, pair -> pair % 2);

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @State(Scope.Benchmark)
    public static class AcrossShards {
        private ShardLoop loop = new ShardLoop(2, PAIRS, WINDOW, pair -> pair % 2, pair -> 1 - pair % 2);

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @State(Scope.Benchmark)
    public static class TwoNetworks {
        private ShardLoop one = new ShardLoop(1, PAIRS / 2, WINDOW, pair -> 0, pair -> 0);
        private ShardLoop other = new ShardLoop(1, PAIRS / 2, WINDOW, pair -> 0, pair -> 0);

        @TearDown(Level.Trial)
        public void close() {
            one.close();
            other.close();
        }
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void floorEightHops(Floors floors) throws InterruptedException {
        floors.one.run(OPERATIONS);
    }

    /** Two floors side by side; the time of one operation of either. */
    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void twoFloorsAtATime(Floors floors) throws InterruptedException {
        Thread beside = new Thread(() -> {
            try {
                floors.other.run(OPERATIONS / 2);
            } catch (InterruptedException ends) {
                Thread.currentThread().interrupt();
            }
        });
        beside.start();
        floors.one.run(OPERATIONS / 2);
        beside.join();
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void send64OnOneShard(OneShard state) throws InterruptedException {
        state.loop.start(OPERATIONS).await();
    }

    /** Both ends of a connection on one shard, and half of the connections on each. */
    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void send64WithinTwoShards(TwoShards state) throws InterruptedException {
        state.loop.start(OPERATIONS).await();
    }

    /** The ends of each connection on different shards. */
    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void send64AcrossTwoShards(AcrossShards state) throws InterruptedException {
        state.loop.start(OPERATIONS).await();
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void send64OfTwoNetworks(TwoNetworks state) throws InterruptedException {
        CountDownLatch first = state.one.start(OPERATIONS / 2);
        CountDownLatch second = state.other.start(OPERATIONS / 2);
        first.await();
        second.await();
    }
}
