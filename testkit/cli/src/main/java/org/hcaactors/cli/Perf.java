// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.cli.gateway.PerftestPlan;
import org.hcaactors.cli.gateway.PerftestTerms;
import org.hcaactors.cli.gateway.PerftestTool;
import org.hcaactors.judge.floor.ActorRing;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.pair.Transport;
import org.hcaactors.network.RdmaNetwork;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "perf",
        description = {
            "Runs perftest's tools in real time: rates and latencies, compared with those of bare actors.",
            "With --via each program is one end, over a UDP cable, and its other end perftest's ib_write_bw and so on,"
                    + " hca gateway, or this command. Exit status 1 if the other end breaks off."
        },
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class Perf implements Callable<Integer> {
    private static final int MAX_BYTES = 1 << 24;
    private static final long MAX_ITERATIONS = 100_000_000;
    private static final int LARGE = 65_536;

    /** Maximum number of timed messages of all queue pairs together: each time is stored. */
    private static final int MAX_TIMED = 4_000_000;

    private static final int MAX_QUEUE_PAIRS = 64;
    private static final int WINDOW = 64;
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final long FLOOR_LAPS = 300_000;
    private static final long WARM_SMALL = 50_000;

    private static final long WARM_LARGE = 2_000;

    /** The measured operation. */
    enum Verb {
        SEND(Send.class),
        WRITE(RdmaWrite.class),
        READ(RdmaRead.class),
        ATOMIC(FetchAdd.class);

        private final Class<? extends WorkRequest> request;

        Verb(Class<? extends WorkRequest> request) {
            this.request = request;
        }
    }

    /** The tools of perftest. */
    enum Test {
        SEND_BW(Verb.SEND, false),
        SEND_LAT(Verb.SEND, true),
        WRITE_BW(Verb.WRITE, false),
        WRITE_LAT(Verb.WRITE, true),
        READ_BW(Verb.READ, false),
        READ_LAT(Verb.READ, true),
        ATOMIC_BW(Verb.ATOMIC, false),
        ATOMIC_LAT(Verb.ATOMIC, true);

        private final Verb verb;
        private final boolean latency;

        Test(Verb verb, boolean latency) {
            this.verb = verb;
            this.latency = latency;
        }

        /** Returns the value of the parameter. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(
            paramLabel = "TEST",
            description = "send_bw, send_lat, write_bw, write_lat, read_bw, read_lat, atomic_bw or atomic_lat")
    private Test test;

    @Option(
            names = "--transport",
            defaultValue = "rc",
            converter = TransportOption.Option.class,
            description = "rc, uc, ud, xrc, dc or srq (default: rc)")
    private TransportOption transport;

    @Option(
            names = {"-s", "--size"},
            description =
                    "bytes of a message (default: 65536 for rates, 2 for latencies; ud: at most 4096; atomics: 8)")
    @AllowedRange(min = 0, max = MAX_BYTES)
    private @Nullable Integer size;

    @Option(
            names = {"-n", "--iters"},
            description = "messages of each queue pair (default: 5000 for rates, 1000 for latencies)")
    @AllowedRange(min = 1, max = MAX_ITERATIONS)
    private @Nullable Long iterations;

    @Option(
            names = {"-q", "--qp"},
            defaultValue = "1",
            description = "queue pairs (default: 1)")
    @AllowedRange(min = 1, max = MAX_QUEUE_PAIRS)
    private int queuePairs;

    @Option(
            names = {"-m", "--mtu"},
            defaultValue = "4096",
            converter = MtuOption.class,
            description = "256, 512, 1024, 2048 or 4096 (default: 4096)")
    private PathMtu mtu;

    @Option(
            names = {"-w", "--warm-up"},
            description =
                    "warm-up messages of each queue pair, so that the JVM compiles the measured code (default: 50000, of more than 4096 bytes 2000)")
    @AllowedRange(min = 1, max = MAX_ITERATIONS)
    private @Nullable Long warmUp;

    @Option(
            names = {"-R", "--rdma-cm"},
            description = "with --via and --connect connect by communication management, to a server that has -R, too:"
                    + " HOST is its adapter")
    private boolean rdmaCm;

    @Option(names = "--on-adapter-thread", description = "subscribers run on the adapter's own thread")
    private boolean onAdapterThread;

    @Option(names = "--json", description = "print one JSON document instead; with --via one JSON object a line")
    private boolean json;

    @Mixin
    private OutsideOptions outside;

    @Mixin
    private ModelOptions model;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException, BadInputException {
        checkOptions();
        outside.check(spec);
        new Checks(spec)
                .that(
                        !rdmaCm || outside.areUsed() && !outside.isServer(),
                        "--rdma-cm requires --via and --connect; its server is hca gateway --serve perftest --rdma-cm");
        Profile profile = model.profile();
        if (outside.areUsed()) {
            return acrossCable(profile);
        }
        List<ClosedLoopTraffic> loops = new ArrayList<>();
        long nanos;
        try (RdmaNetwork network = RdmaNetwork.start()) {
            Adapter left = network.addAdapter("left", profile);
            Adapter right = network.addAdapter("right", profile);
            QpCapacity capacity =
                    QpCapacity.DEFAULT.withMaxRecvWr(512).withMaxSge(1).withMaxInlineBytes(0);
            RcConnection attributes = RcConnection.DEFAULT.withMtu(mtu);
            Shape shape = new Shape(attributes, capacity, 2047, Math.max(64, bytes() + 64L));
            Half one = transport.half(network, left, shape);
            Half other = transport.half(network, right, shape);
            for (int i = 0; i < queuePairs; i++) {
                loops.add(new ClosedLoopTraffic(
                        transport.ends(network, one, other, shape), test.verb, bytes(), onAdapterThread));
            }
            loops.forEach(loop -> network.await(loop.run(warmUp(), window()), TIMEOUT));
            nanos = run(network, loops);
        }
        report(loops, nanos, floorNanos());
        return Hca.OK;
    }

    private int acrossCable(Profile profile) throws BadInputException, InterruptedException {
        Checks check = new Checks(spec);
        check.that(transport.isClassic(), "--transport is " + transport + "; with --via rc, uc and ud are allowed");
        check.that(
                !rdmaCm || transport.transport() == Transport.RC,
                "--transport is " + transport + "; with --rdma-cm only rc is allowed");
        check.that(
                warmUp == null && !onAdapterThread,
                "omit --warm-up and --on-adapter-thread, or --via: perftest's programs have neither");
        check.that(
                !test.latency || queuePairs == 1,
                "--qp is " + queuePairs + "; with --via and a latency test only 1 is allowed");
        check.that(
                !test.latency || iterations() >= 2,
                "--iters is " + iterations() + "; with --via and a latency test at least 2 is required");
        check.that(
                test != Test.WRITE_LAT || bytes() > 0,
                "--size is 0; with --via and write_lat at least 1 is required: the last byte is the number of the message");
        PerftestTerms terms = new PerftestTerms(PerftestTool.valueOf(test.name()), transport.transport(), bytes());
        return outside.play(spec, profile, json, (station, output) -> {
            int largest = station.activeMtu().bytes();
            check.that(
                    transport.transport() != Transport.UD || bytes() <= largest,
                    "--size is " + bytes() + "; over this cable with ud 0 to " + largest + " is allowed");
            PerftestPlan plan = new PerftestPlan(terms, mtu, queuePairs, iterations());
            new OutsidePerf(station, plan, rdmaCm, output, outside).play();
        });
    }

    private long warmUp() {
        if (warmUp != null) {
            return warmUp;
        }
        return bytes() > 4096 ? WARM_LARGE : WARM_SMALL;
    }

    private long run(RdmaNetwork network, List<ClosedLoopTraffic> loops) {
        long all = iterations() * queuePairs;
        long start = System.nanoTime();
        try (Progress progress = new Progress(
                !json,
                all,
                () -> loops.stream().mapToLong(ClosedLoopTraffic::completed).sum())) {
            loops.stream()
                    .map(loop -> test.latency ? loop.runTimed((int) iterations()) : loop.run(iterations(), window()))
                    .toList()
                    .forEach(finished -> network.await(finished, TIMEOUT));
        }
        return Math.max(1, System.nanoTime() - start);
    }

    /**
     * Measures the baseline: the time in which eight messages pass between plain actors, as for one operation, with as many
     * outstanding as in the test.
     */
    private double floorNanos() throws InterruptedException {
        try (ActorRing floor = new ActorRing(window())) {
            floor.run(FLOOR_LAPS);
            long start = System.nanoTime();
            floor.run(FLOOR_LAPS);
            return (System.nanoTime() - start) / (double) FLOOR_LAPS;
        }
    }

    private int window() {
        return test.latency ? 1 : WINDOW;
    }

    private void report(List<ClosedLoopTraffic> loops, long nanos, double floorNanos) {
        PrintWriter out = spec.commandLine().getOut();
        double each = nanos / (double) (iterations() * queuePairs);
        PerfReport report = test.latency
                ? PerfReport.latencies(
                        measured(),
                        loops.stream()
                                .flatMapToLong(loop -> Arrays.stream(loop.times()))
                                .sorted()
                                .toArray())
                : PerfReport.rates(
                        measured(),
                        1 / each,
                        loops.stream().mapToDouble(ClosedLoopTraffic::peakRate).sum());
        report.row().put("nanosPerMessage", each).put("floorNanos", floorNanos).put("timesFloor", floorNanos / each);
        if (json) {
            out.println(report.row());
        } else {
            report.print(out);
            out.printf(
                    "%.1f ns a message; eight hops of bare actors %.1f ns: the model reaches %.3g times the rate of the bare actors%n",
                    each, floorNanos, floorNanos / each);
        }
        out.flush();
    }

    private PerfReport.Measured measured() {
        return new PerfReport.Measured(test.toString(), transport.toString(), bytes(), iterations() * queuePairs);
    }

    private void checkOptions() {
        Checks check = new Checks(spec);
        long longest = transport.transport().maxBytes();
        check.that(
                transport.transport().carries(test.verb.request),
                transport + " does not support " + test.verb.name().toLowerCase(Locale.ROOT)
                        + "; rc supports all operations");
        check.that(
                bytes() <= longest,
                "--size is " + bytes() + "; with " + transport + " 0 to " + longest + " is allowed");
        check.that(
                test.verb != Verb.ATOMIC || bytes() == Long.BYTES,
                "--size is " + bytes() + "; for atomics only 8 is allowed");
        long max = MAX_TIMED / queuePairs;
        check.that(
                !test.latency || iterations() <= max,
                "--iters is " + iterations() + "; for latencies on " + queuePairs + " queue pairs, 1 to " + max
                        + " is allowed");
    }

    private int bytes() {
        if (size != null) {
            return size;
        }
        if (test.verb == Verb.ATOMIC) {
            return Long.BYTES;
        }
        int large = (int) Math.min(LARGE, transport.transport().maxBytes());
        return test.latency ? 2 : large;
    }

    private long iterations() {
        return iterations != null ? iterations : test.latency ? 1000 : 5000;
    }
}
