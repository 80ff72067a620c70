// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import jdk.jfr.Recording;
import org.hcaactors.actors.flight.FlightSink;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;
import org.hcaactors.views.flow.TraceRecorder;
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
 * RC SEND of 64 bytes as in {@link RcSendBenchmark}, on a network with an observer: an interceptor that lets every packet pass,
 * a tap that counts, a trace recorder, or a flight recording of requests that take a second, which receives all events and
 * keeps none. Compared with the same network without an observer.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 9, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseParallelGC"})
public class FaultsArmedBenchmark {
    private static final int OPERATIONS = 50_000;
    private static final int WINDOW = 64;

    @State(Scope.Benchmark)
    public static class Unwatched {
        private final SendLoop loop = new SendLoop(RdmaNetwork.start(), WINDOW);

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Judged {
        private final SendLoop loop = new SendLoop(judged(), WINDOW);

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Tapped {
        private final SendLoop loop = new SendLoop(tapped(), WINDOW);

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Traced {
        private final SendLoop loop =
                new SendLoop(RdmaNetwork.start(Environment.production().withTrace(new TraceRecorder())), WINDOW);

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Flight {
        private final FlightSink sink = FlightSink.open();
        private final Recording recording = recording();
        private final SendLoop loop =
                new SendLoop(RdmaNetwork.start(Environment.production().withTrace(sink)), WINDOW);

        private static Recording recording() {
            Recording recording = new Recording();
            recording.enable("org.hcaactors.Request").withThreshold(Duration.ofSeconds(1));
            recording.start();
            return recording;
        }

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
            recording.close();
            sink.close();
        }
    }

    private static RdmaNetwork judged() {
        RdmaNetwork network = RdmaNetwork.start();
        Verdict never = new Verdict.Drop("never");
        network.intercept(transit -> transit.nanos() == Long.MIN_VALUE ? never : Verdict.PASS);
        return network;
    }

    private static RdmaNetwork tapped() {
        RdmaNetwork network = RdmaNetwork.start();
        LongAdder seen = new LongAdder();
        network.tap(event -> seen.increment());
        return network;
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void floorSend(Unwatched unwatched) throws InterruptedException {
        unwatched.loop.run(OPERATIONS);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void sendJudged(Judged judged) throws InterruptedException {
        judged.loop.run(OPERATIONS);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void sendTapped(Tapped tapped) throws InterruptedException {
        tapped.loop.run(OPERATIONS);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void sendTraced(Traced traced) throws InterruptedException {
        traced.loop.run(OPERATIONS);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void sendInFlightRecording(Flight flight) throws InterruptedException {
        flight.loop.run(OPERATIONS);
    }
}
