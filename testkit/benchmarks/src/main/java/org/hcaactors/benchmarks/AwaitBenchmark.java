// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
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
 * RDMA WRITE of 64 bytes with {@code submit}, one after the other, each awaited by the program's thread; compared with two
 * threads that pass a token to each other.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 9, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseParallelGC"})
public class AwaitBenchmark {
    private static final int WAITS = 5_000;

    @State(Scope.Benchmark)
    public static class Waits {
        private final SubmitLoop loop = new SubmitLoop(1);

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Threads {
        private final Semaphore there = new Semaphore(0);
        private final Semaphore back = new Semaphore(0);
        private final Thread other = Thread.ofPlatform().daemon().start(this::answer);

        private void answer() {
            try {
                while (true) {
                    there.acquire();
                    back.release();
                }
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        }

        void pass() throws InterruptedException {
            there.release();
            back.acquire();
        }

        @TearDown(Level.Trial)
        public void close() {
            other.interrupt();
        }
    }

    @Benchmark
    @OperationsPerInvocation(WAITS)
    public void floorTwoThreads(Threads threads) throws InterruptedException {
        for (int i = 0; i < WAITS; i++) {
            threads.pass();
        }
    }

    @Benchmark
    @OperationsPerInvocation(WAITS)
    public void submitAndAwait(Waits waits) {
        waits.loop.await(WAITS);
    }
}
