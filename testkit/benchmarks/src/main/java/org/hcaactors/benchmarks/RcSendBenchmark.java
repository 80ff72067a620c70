// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

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
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * RC SEND of 64 bytes, window 64, both completions consumed by subscribers, compared with the baseline: eight hops of plain
 * actors, one tell per hop, 64 tokens, on the same kind of dispatcher. For the callers' executor there is another baseline:
 * plain actors that hand a window over to it and back.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 9, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseParallelGC"})
public class RcSendBenchmark {
    static final int OPERATIONS = 100_000;
    static final int WINDOW = 64;

    @State(Scope.Benchmark)
    public static class Floor {
        private ActorRing hops = new ActorRing(WINDOW);

        @TearDown(Level.Trial)
        public void close() {
            hops.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Threads {
        private ActorRing threadHop = ActorRing.betweenThreads();

        @TearDown(Level.Trial)
        public void close() {
            threadHop.close();
        }
    }

    @State(Scope.Benchmark)
    public static class OnAdapterThread {
        private SendLoop loop = new SendLoop(WINDOW, true);

        @Setup(Level.Trial)
        public void warm() throws InterruptedException {
            loop.run(OPERATIONS);
        }

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @State(Scope.Benchmark)
    public static class OnCallersExecutor {
        private SendLoop loop = new SendLoop(WINDOW, false);

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void floorEightHops(Floor floor) throws InterruptedException {
        floor.hops.run(OPERATIONS);
    }

    /** One hand-over in both directions for all operations of a window. */
    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void handOverAndBack(Threads threads) throws InterruptedException {
        threads.threadHop.run(OPERATIONS / WINDOW);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void send64OnAdapterThread(OnAdapterThread state) throws InterruptedException {
        state.loop.run(OPERATIONS);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void send64OnCallersExecutor(OnCallersExecutor state) throws InterruptedException {
        state.loop.run(OPERATIONS);
    }
}
