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
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Connections that are made by communication management and closed, compared with as many pairs of queue pairs that one program
 * connects by hand. An operation is one connection, or 1,000 at once; the backlog has a place for each of them, so that no request
 * has to be repeated. {@link ConnectStorm} measures a small backlog.
 *
 * <p>The warm-up is long because so few connections are made in a second that their code is compiled late.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 12, time = 1)
@Measurement(iterations = 9, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseParallelGC"})
public class ConnectBenchmark {
    private static final int BACKLOG = 1024;

    @State(Scope.Benchmark)
    public static class Clients {
        @Param({"1", "1000"})
        int clients;

        private final ConnectLoop loop = new ConnectLoop(BACKLOG);

        @TearDown(Level.Trial)
        public void close() {
            loop.close();
        }
    }

    @Benchmark
    public void floorPairsByHand(Clients clients) {
        clients.loop.pairsByHand(clients.clients);
    }

    @Benchmark
    public void connectAndClose(Clients clients) {
        clients.loop.connectAndClose(clients.clients);
    }
}
