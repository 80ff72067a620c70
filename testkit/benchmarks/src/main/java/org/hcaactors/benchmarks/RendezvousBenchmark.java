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
 * Messages whose data the receiver's adapter fetches, by the verbs and through endpoints, compared with RDMA READs of the same
 * size by the receiver's program; window {@value #WINDOW}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 9, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseParallelGC"})
public class RendezvousBenchmark {
    static final int OPERATIONS = 200;
    static final int WINDOW = 4;

    /** Messages before the measurement: the few seconds of a round may be too short for the compiler on a busy machine. */
    private static final int WARMING = 10_000;

    @State(Scope.Benchmark)
    public static class Reads {
        @Param({"65536", "1048576"})
        int bytes;

        private @Nullable ReadLoop loop;

        @Setup(Level.Trial)
        public void connect() throws InterruptedException {
            loop = new ReadLoop(bytes, WINDOW);
            loop.run(WARMING);
        }

        @TearDown(Level.Trial)
        public void close() {
            loop().close();
        }

        private ReadLoop loop() {
            return Objects.requireNonNull(loop);
        }
    }

    @State(Scope.Benchmark)
    public static class Verbs {
        @Param({"65536", "1048576"})
        int bytes;

        private @Nullable RendezvousLoop loop;

        @Setup(Level.Trial)
        public void connect() throws InterruptedException {
            loop = new RendezvousLoop(bytes, WINDOW);
            loop.run(WARMING);
        }

        @TearDown(Level.Trial)
        public void close() {
            loop().close();
        }

        private RendezvousLoop loop() {
            return Objects.requireNonNull(loop);
        }
    }

    @State(Scope.Benchmark)
    public static class Endpoints {
        @Param({"65536", "1048576"})
        int bytes;

        private @Nullable EndpointLoop loop;

        @Setup(Level.Trial)
        public void connect() throws InterruptedException {
            loop = new EndpointLoop(bytes, WINDOW);
            loop.run(WARMING);
        }

        @TearDown(Level.Trial)
        public void close() {
            loop().close();
        }

        private EndpointLoop loop() {
            return Objects.requireNonNull(loop);
        }
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void floorRead(Reads reads) throws InterruptedException {
        reads.loop().run(OPERATIONS);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void rendezvousByVerbs(Verbs verbs) throws InterruptedException {
        verbs.loop().run(OPERATIONS);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void rendezvousByEndpoints(Endpoints endpoints) throws InterruptedException {
        endpoints.loop().run(OPERATIONS);
    }
}
