// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.nio.ByteBuffer;
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
 * RDMA WRITE and READ of 1 MiB, compared with a loop that copies the same bytes twice through one reused array of 64 KiB, the
 * minimum for an adapter with a packet buffer, and with one plain copy.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 9, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseParallelGC"})
public class WriteBenchmark {
    static final int BYTES = 1 << 20;
    private static final int BURST = 1 << 16;
    private static final int OPERATIONS = 200;
    private static final int WINDOW = 2;

    @State(Scope.Benchmark)
    public static class Memory {
        private final ByteBuffer from = ByteBuffer.allocateDirect(BYTES);
        private final ByteBuffer into = ByteBuffer.allocateDirect(BYTES);
        private final byte[] burst = new byte[BURST];
    }

    @State(Scope.Benchmark)
    public static class Writes {
        private WriteLoop loop = new WriteLoop(BYTES, WINDOW);

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Reads {
        private final ReadLoop loop = new ReadLoop(BYTES, WINDOW);

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @Benchmark
    public void floorTwoCopies(Memory memory) {
        for (int at = 0; at < BYTES; at += BURST) {
            memory.from.get(at, memory.burst, 0, BURST);
            memory.into.put(at, memory.burst, 0, BURST);
        }
    }

    @Benchmark
    public void oneCopy(Memory memory) {
        memory.into.put(0, memory.from, 0, BYTES);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void write1MiB(Writes writes) throws InterruptedException {
        writes.loop.run(OPERATIONS);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void read1MiB(Reads reads) throws InterruptedException {
        reads.loop.run(OPERATIONS);
    }
}
