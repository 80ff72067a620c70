// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.EnumSet;
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
 * Cost of using all verbs and transports in one JVM: calls that the compiler can inline in a program with one kind of request
 * then have many targets. SEND, WRITE, READ and atomics, inline or not, over RC, UC, UD, XRC and DC, with receive queues and
 * shared receive queues, 64 bytes, window 64 each. All benchmarks here run the same loop and the same subscribers.
 *
 * <p>The figure that counts is a plain RC SEND, or WRITE, <em>where all kinds were seen</em>: measured alone, so that its CPU
 * time is its own, in a network and a JVM in which all kinds ran before it, interleaved, until they were compiled. It is
 * compared with the same in a JVM that ran nothing else. The aim is 0.8.
 *
 * <p>The cost of all kinds together is also given per operation, interleaved and one kind after the other. The ratio of the two
 * is the cost of switching between kinds; comparing either with a SEND shows little, since a READ or an atomic is more work.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 9, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseParallelGC"})
public class MixedBenchmark {
    static final int OPERATIONS = 50_000;
    private static final int EACH = 4_000;
    private static final int KINDS = 14;

    /** Operations of each kind before the measurement. */
    private static final int SEEN = 50_000;

    @State(Scope.Benchmark)
    public static class Sends {
        private final MixedLoop loop = new MixedLoop(EnumSet.of(MixedKind.RC_SEND));

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Writes {
        private final MixedLoop loop = new MixedLoop(EnumSet.of(MixedKind.RC_WRITE));

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @State(Scope.Benchmark)
    public static class All {
        private final MixedLoop loop = new MixedLoop(EnumSet.allOf(MixedKind.class));

        @Setup(Level.Trial)
        public void see() throws InterruptedException {
            loop.together(SEEN);
        }

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void floorSend(Sends sends) throws InterruptedException {
        sends.loop.together(OPERATIONS);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void writeAlone(Writes writes) throws InterruptedException {
        writes.loop.together(OPERATIONS);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void sendWhereAllWasSeen(All all) throws InterruptedException {
        all.loop.only(MixedKind.RC_SEND, OPERATIONS);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void writeWhereAllWasSeen(All all) throws InterruptedException {
        all.loop.only(MixedKind.RC_WRITE, OPERATIONS);
    }

    @Benchmark
    @OperationsPerInvocation(KINDS * EACH)
    public void allInterleaved(All all) throws InterruptedException {
        all.loop.together(EACH);
    }

    @Benchmark
    @OperationsPerInvocation(KINDS * EACH)
    public void allOneAfterAnother(All all) throws InterruptedException {
        all.loop.oneAfterAnother(EACH);
    }
}
