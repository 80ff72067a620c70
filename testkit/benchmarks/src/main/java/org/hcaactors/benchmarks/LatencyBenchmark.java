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
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** One RC SEND of 64 bytes after the other: each waits for the completion of the one before, next to as many bare hops. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 9, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseParallelGC"})
public class LatencyBenchmark {
    private static final int OPERATIONS = 20_000;

    @State(Scope.Benchmark)
    public static class Floor {
        private ActorRing hops = new ActorRing(1);

        @TearDown(Level.Trial)
        public void close() {
            hops.close();
        }
    }

    @State(Scope.Benchmark)
    public static class OneAtATime {
        private SendLoop loop = new SendLoop(1, true);

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void floorEightHopsOneToken(Floor floor) throws InterruptedException {
        floor.hops.run(OPERATIONS);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void send64WindowOne(OneAtATime state) throws InterruptedException {
        state.loop.run(OPERATIONS);
    }
}
