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
 * Atomics of two queue pairs, plain and masked, on one word or each on its own word, compared with READs of eight bytes, which
 * take the same path. Bursts of {@value #BURST}, as many at a time as the adapter has responder resources.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 9, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseParallelGC"})
public class AtomicBenchmark {
    static final int BURST = 128;

    @State(Scope.Benchmark)
    public static class Words {
        private final AtomicLoop loop = new AtomicLoop(BURST);

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @Benchmark
    @OperationsPerInvocation(2 * BURST)
    public void floorReadOfEightBytes(Words words) {
        words.loop.reads();
    }

    @Benchmark
    @OperationsPerInvocation(2 * BURST)
    public void fetchAddOnOneWord(Words words) {
        words.loop.fetchAdds(0);
    }

    @Benchmark
    @OperationsPerInvocation(2 * BURST)
    public void fetchAddOnManyWords(Words words) {
        words.loop.fetchAdds(Long.BYTES);
    }

    @Benchmark
    @OperationsPerInvocation(2 * BURST)
    public void maskedFetchAddOnOneWord(Words words) {
        words.loop.maskedFetchAdds(Long.BYTES, 0);
    }

    @Benchmark
    @OperationsPerInvocation(2 * BURST)
    public void maskedFetchAddOfThirtyTwoBytes(Words words) {
        words.loop.maskedFetchAdds(AtomicLoop.MAX_BYTES, AtomicLoop.MAX_BYTES);
    }
}
