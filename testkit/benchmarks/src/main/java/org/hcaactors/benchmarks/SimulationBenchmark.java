// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.judge.sweep.Sweep;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;
import org.hcaactors.views.flow.TraceRecorder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Cost of a world: RDMA WRITEs of 64 bytes, sixteen in progress, two packets each, on the ordinary dispatcher and in worlds.
 * Each run includes the start and end of its network. Also the time of one seed of a sweep, on one thread, with mixed traffic,
 * faults on the wire and all invariants; {@link SweepRate} prints the packets per second.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 7, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseParallelGC"})
public class SimulationBenchmark {
    private static final int OPERATIONS = 10_000;
    private static final int WINDOW = 16;
    private static final int SEEDS = 20;

    /** Runs the same program on any network. */
    private static void run(RdmaNetwork network) {
        Adapter a = network.addAdapter("a", Profile.CONNECTX_5);
        Adapter b = network.addAdapter("b", Profile.CONNECTX_5);
        Program program = new Program(ConnectedPair.between(network, a, b));
        for (int i = 0; i < WINDOW; i++) {
            program.next();
        }
        network.await(program.done);
    }

    private static final class Program {
        private final ConnectedPair pair;
        private final CompletableFuture<Boolean> done = new CompletableFuture<>();
        private int posted;
        private int completed;

        Program(ConnectedPair pair) {
            this.pair = pair;
        }

        private synchronized void next() {
            if (posted == OPERATIONS) {
                return;
            }
            posted++;
            pair.a()
                    .qp()
                    .submit(RdmaWrite.of(posted, pair.a().slice(0, 64), pair.b().remote(0)))
                    .thenRun(this::completed);
        }

        private synchronized void completed() {
            if (++completed == OPERATIONS) {
                done.complete(true);
            }
            next();
        }
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void floorOrdinaryDispatcher() {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            run(network);
        }
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void ordinaryDispatcherWithTrace() {
        try (RdmaNetwork network = RdmaNetwork.start(Environment.production().withTrace(new TraceRecorder()))) {
            run(network);
        }
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void worldWithoutInvariants() {
        try (World world = World.of(WorldOptions.of(1).with(Watch.RECORDED))) {
            run(world.network());
        }
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void worldWithInvariantsOfPrograms() {
        try (World world = World.of(WorldOptions.of(1).with(Watch.PROGRAM))) {
            run(world.network());
        }
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void worldWithAllInvariants() {
        try (World world = World.of(WorldOptions.of(1).with(Watch.PROTOCOL))) {
            run(world.network());
        }
    }

    @Benchmark
    @OperationsPerInvocation(SEEDS)
    public void sweep() {
        Sweep.Report report = Sweep.of(SEEDS).run();
        if (!report.isClean()) {
            throw new IllegalStateException(report.failures().toString());
        }
    }
}
