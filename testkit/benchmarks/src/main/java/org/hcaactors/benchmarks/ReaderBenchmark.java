// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.concurrent.TimeUnit;
import org.hcaactors.judge.floor.ActorRing;
import org.hcaactors.lab.pair.Transport;
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
 * RC SEND of 64 bytes with both completions taken by subscribers or by readers, on the adapter's thread or on the callers'
 * executor, or polled by the program's thread, which may drive the shard, too, compared with the baseline: eight hops of plain
 * actors with as many tokens as the window has requests.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 9, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseParallelGC"})
public class ReaderBenchmark {
    static final int OPERATIONS = 100_000;

    @State(Scope.Benchmark)
    public static class Floor {
        @Param({"64", "512", "4096"})
        int window;

        private ActorRing hops = new ActorRing(1);

        @Setup(Level.Trial)
        public void open() {
            hops.close();
            hops = new ActorRing(window);
        }

        @TearDown(Level.Trial)
        public void close() {
            hops.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Loop {
        @Param({"64", "512", "4096"})
        int window;

        @Param({
            "FLOW_ON_ADAPTER_THREAD",
            "READER_ON_ADAPTER_THREAD",
            "FLOW",
            "READER",
            "POLLER",
            "POLLER_DRIVING",
            "FLOW_DRIVING"
        })
        Polling polling = Polling.READER;

        private SendLoop loop = new SendLoop(1, true);

        @Setup(Level.Trial)
        public void open() throws InterruptedException {
            loop.close();
            loop = new SendLoop(Transport.RC, false, window, polling);
            loop.run(OPERATIONS);
        }

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void floorEightHops(Floor floor) throws InterruptedException {
        floor.hops.run(OPERATIONS);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void send64(Loop state) throws InterruptedException {
        state.loop.run(OPERATIONS);
    }
}
