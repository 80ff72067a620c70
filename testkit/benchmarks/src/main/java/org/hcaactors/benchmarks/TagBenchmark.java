// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
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
 * Tagged messages of {@value Matching#BYTES} bytes over RC, window {@value Matching#WINDOW}: matched by the adapter, compared
 * with a program that matches by itself what arrives at an ordinary shared receive queue. Each message takes the last of a
 * number of receives.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 9, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseParallelGC"})
public class TagBenchmark {
    static final int OPERATIONS = 10_000;

    /** Messages before the measurement: the few seconds of a round may be too short for the compiler on a busy machine. */
    private static final int WARMING = 500_000;

    @State(Scope.Benchmark)
    public static class Program {
        @Param({"1", "16", "128", "1023"})
        int compared;

        private @Nullable TagLoop loop;

        @Setup(Level.Trial)
        public void connect() throws InterruptedException {
            loop = new TagLoop(ProgramMatching::new, compared);
            loop.run(WARMING);
        }

        @TearDown(Level.Trial)
        public void close() {
            loop().close();
        }

        private TagLoop loop() {
            return Objects.requireNonNull(loop);
        }
    }

    @State(Scope.Benchmark)
    public static class Adapter {
        @Param({"1", "16", "128", "1023"})
        int compared;

        private @Nullable TagLoop loop;

        @Setup(Level.Trial)
        public void connect() throws InterruptedException {
            loop = new TagLoop(AdapterMatching::new, compared);
            loop.run(WARMING);
        }

        @TearDown(Level.Trial)
        public void close() {
            loop().close();
        }

        private TagLoop loop() {
            return Objects.requireNonNull(loop);
        }
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void floorProgramCompares(Program program) throws InterruptedException {
        program.loop().run(OPERATIONS);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void adapterCompares(Adapter adapter) throws InterruptedException {
        adapter.loop().run(OPERATIONS);
    }
}
