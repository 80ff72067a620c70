// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.hcaactors.judge.floor.ActorRing;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * RDMA WRITE of 64 bytes with {@code submit}: many outstanding requests, whose stages complete on the callers' executor,
 * compared with eight hops of bare actors.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 9, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseParallelGC"})
public class SubmitBenchmark {
    private static final int OPERATIONS = 100_000;

    @State(Scope.Benchmark)
    public static class Floor {
        private final ActorRing hops = new ActorRing(64);

        @TearDown(Level.Trial)
        public void close() {
            hops.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Submits {
        @Param({"64", "1024"})
        int window;

        private @Nullable SubmitLoop loop;

        @Setup(Level.Trial)
        public void connect() {
            loop = new SubmitLoop(window);
        }

        @TearDown(Level.Trial)
        public void close() {
            loop().close();
        }

        private SubmitLoop loop() {
            return Objects.requireNonNull(loop);
        }
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void floorEightHops(Floor floor) throws InterruptedException {
        floor.hops.run(OPERATIONS);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void submit(Submits submits) throws InterruptedException {
        submits.loop().run(OPERATIONS);
    }
}
