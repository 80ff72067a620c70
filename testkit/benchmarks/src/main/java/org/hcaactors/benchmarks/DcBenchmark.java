// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

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
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * RDMA WRITE of 64 bytes over DC, compared with RC. One initiator, window 64: all requests to one target; sixteen in a row to
 * each of two; and alternating targets, which disconnects and connects for every request; also one request at a time to one
 * target. And {@value #MANY} initiators, window 4: each stays with its target, or connects for every request, with half a
 * handshake and with a full one.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 9, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseParallelGC"})
public class DcBenchmark {
    static final int OPERATIONS = 10_000;

    /**
     * Connects before the measurement: with few connects per second, the measured code would otherwise not be compiled for
     * long.
     */
    private static final int WARMING = 150_000;

    static final int MANY = 64;
    private static final int WINDOW = 64;
    private static final int WINDOW_OF_MANY = 4;
    private static final int ROW = 16;

    @State(Scope.Benchmark)
    public static class Rc {
        private final WriteLoop loop = new WriteLoop(DcLoop.BYTES, WINDOW);

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @State(Scope.Benchmark)
    public static class One {
        private final DcLoop loop = new DcLoop(1, WINDOW, false);

        @Setup(Level.Trial)
        public void warm() throws InterruptedException {
            loop.run(WARMING, 1);
        }

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    /** One request in progress, as when the target changes each time. */
    @State(Scope.Benchmark)
    public static class OneAtATime {
        private final DcLoop loop = new DcLoop(1, 1, false);

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Many {
        private final DcLoop loop = new DcLoop(MANY, WINDOW_OF_MANY, false);

        @Setup(Level.Trial)
        public void warm() throws InterruptedException {
            loop.run(WARMING, 1);
        }

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @State(Scope.Benchmark)
    public static class ManyByFullHandshake {
        private final DcLoop loop = new DcLoop(MANY, WINDOW_OF_MANY, true);

        @Setup(Level.Trial)
        public void warm() throws InterruptedException {
            loop.run(WARMING, 1);
        }

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void floorOverRc(Rc rc) throws InterruptedException {
        rc.loop.run(OPERATIONS);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void oneTarget(One one) throws InterruptedException {
        one.loop.run(OPERATIONS, DcLoop.NEVER);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void oneTargetOneAtATime(OneAtATime one) throws InterruptedException {
        one.loop.run(OPERATIONS, DcLoop.NEVER);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void anotherTargetEachSixteen(One one) throws InterruptedException {
        one.loop.run(OPERATIONS, ROW);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void anotherTargetEachTime(One one) throws InterruptedException {
        one.loop.run(OPERATIONS, 1);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void manyThatStayConnected(Many many) throws InterruptedException {
        many.loop.run(OPERATIONS, DcLoop.NEVER);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void manyThatConnectEachTime(Many many) throws InterruptedException {
        many.loop.run(OPERATIONS, 1);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void manyThatConnectByFullHandshake(ManyByFullHandshake many) throws InterruptedException {
        many.loop.run(OPERATIONS, 1);
    }
}
