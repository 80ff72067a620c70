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
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A column of {@value #PIECES} pieces of {@value #PIECE} bytes by one WRITE through an indirect key, compared with one WRITE
 * per piece; a WRITE under a key on which its queue pairs hold a lease, compared with a key whose lease must be requested; and
 * a reregistration, in place or over other memory, compared with deregistering a region and registering another.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 9, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseParallelGC"})
public class KeyBenchmark {
    static final int PIECES = 1024;
    static final int PIECE = 64;

    /** Twice as many as a queue pair holds leases on: each lease is released before its key is used again. */
    static final int KEYS = 128;

    @State(Scope.Benchmark)
    public static class Keys {
        private final KeyLoop loop = new KeyLoop(PIECES, PIECE, KEYS);

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @Benchmark
    public void columnThroughAnIndirectKey(Keys keys) {
        keys.loop.column();
    }

    @Benchmark
    public void columnPieceByPiece(Keys keys) {
        keys.loop.pieces();
    }

    @Benchmark
    @OperationsPerInvocation(KEYS)
    public void writeUnderALease(Keys keys) {
        keys.loop.underOneKey();
    }

    @Benchmark
    @OperationsPerInvocation(KEYS)
    public void writeThatAsksForItsKey(Keys keys) {
        keys.loop.underEachKey();
    }

    @Benchmark
    public void regionRegisteredAnew(Keys keys) {
        keys.loop.reregister();
    }

    @Benchmark
    public void regionDeregisteredAndAnotherRegistered(Keys keys) {
        keys.loop.replace();
    }
}
