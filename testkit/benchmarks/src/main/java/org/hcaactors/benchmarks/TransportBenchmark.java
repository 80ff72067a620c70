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
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * SEND of 64 bytes, window 64, between two ends that stay connected: over RC with a receive queue and with a shared one, and
 * over XRC and DC, which always use a shared one; and, with a window of {@value Matching#WINDOW}, to a queue that matches tags,
 * where each message takes a receive that the program adds again. Compared with the baseline of {@link RcSendBenchmark}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 9, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseParallelGC"})
public class TransportBenchmark {
    static final int OPERATIONS = 100_000;
    static final int WINDOW = 64;

    @State(Scope.Benchmark)
    public static class Floor {
        private final ActorRing hops = new ActorRing(WINDOW);

        @TearDown(Level.Trial)
        public void close() {
            hops.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Rc {
        private final SendLoop loop = new SendLoop(WINDOW, true);

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @State(Scope.Benchmark)
    public static class RcSharing {
        private final SendLoop loop = new SendLoop(Transport.RC, true, WINDOW, true);

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Xrc {
        private final SendLoop loop = new SendLoop(Transport.XRC, true, WINDOW, true);

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Dc {
        private final SendLoop loop = new SendLoop(Transport.DC, true, WINDOW, true);

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Tags {
        private final TagLoop loop = new TagLoop(AdapterMatching::new, 1);

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @State(Scope.Benchmark)
    public static class RcOfTagsWindow {
        private final SendLoop loop = new SendLoop(Matching.WINDOW, true);

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
    public void sendOverRc(Rc rc) throws InterruptedException {
        rc.loop.run(OPERATIONS);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void sendOverRcSharingReceives(RcSharing rc) throws InterruptedException {
        rc.loop.run(OPERATIONS);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void sendOverXrc(Xrc xrc) throws InterruptedException {
        xrc.loop.run(OPERATIONS);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void sendOverDc(Dc dc) throws InterruptedException {
        dc.loop.run(OPERATIONS);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void sendMatchingTags(Tags tags) throws InterruptedException {
        tags.loop.run(OPERATIONS);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void sendOverRcWithTheWindowOfTags(RcOfTagsWindow rc) throws InterruptedException {
        rc.loop.run(OPERATIONS);
    }
}
