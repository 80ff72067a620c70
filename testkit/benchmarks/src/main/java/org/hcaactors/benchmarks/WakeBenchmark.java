// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** One message, until the waiting program has polled its completion: woken by AS-notify, compared with a polling loop. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 9, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseParallelGC"})
public class WakeBenchmark {
    @State(Scope.Benchmark)
    public static class Ends {
        private final WakeLoop loop = new WakeLoop();

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @Benchmark
    public void floorPolling(Ends ends) {
        ends.loop.polled();
    }

    @Benchmark
    public void wokenByAsNotify(Ends ends) {
        ends.loop.woken();
    }
}
