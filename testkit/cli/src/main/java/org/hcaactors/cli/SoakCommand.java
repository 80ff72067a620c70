// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.hcaactors.judge.soak.Footprint;
import org.hcaactors.judge.soak.Soak;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "soak",
        description = {
            "Runs a service on real threads that repeatedly creates, uses and closes objects: processes, memory, regions,"
                    + " completion queues, channels, shared receive queues, queue pairs, address handles, groups, event"
                    + " streams, whole networks. Several threads post on many connections, while others take completions"
                    + " and destroy, reset, deregister, crash and close the objects that these use.",
            "Every stage must complete, and the transferred bytes are compared with the sent ones. Exit status 1 if the heap, the"
                    + " direct memory, the threads or the actors have grown, or an operation had an unexpected result."
                    + " If it is interrupted, it prints the results so far."
        },
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class SoakCommand implements Callable<Integer> {
    private static final Duration LONGEST = Duration.ofDays(30);
    private static final int LINES = 30;
    private static final Duration MAX_BETWEEN_LINES = Duration.ofMinutes(1);
    private static final double MEBI = 1 << 20;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = TimeSpan.class,
            description = "duration after the warm-up: 30s, 10m, 1h (default: 30s)")
    private Duration time;

    @Option(names = "--seed", defaultValue = "0", description = "seed of its threads (default: 0)")
    @AllowedRange
    private long seed;

    @Option(names = "--json", description = "print one JSON document at the end instead")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        new Checks(spec)
                .that(
                        time.isPositive() && time.compareTo(LONGEST) <= 0,
                        "--for is " + time.toSeconds() + "s; 1s to " + LONGEST.toDays() * 24 + "h are allowed");
        PrintWriter out = spec.commandLine().getOut();
        Soak soak = Soak.of(seed);
        try (Interruption interruption = Interruption.calling(soak::stop)) {
            return interruption.reported(run(out, soak, interruption));
        }
    }

    private int run(PrintWriter out, Soak soak, Interruption interruption) {
        Stopwatch watch = new Stopwatch(time);
        Soak.Report report;
        try (ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor()) {
            if (!json) {
                header(out);
                long every = every().toMillis();
                timer.scheduleAtFixedRate(() -> progress(out, watch, soak), every, every, TimeUnit.MILLISECONDS);
            }
            report = soak.run(watch::isOver);
            timer.shutdownNow();
        }
        List<String> grown = report.grown(Footprint.TOLERANCE);
        if (json) {
            out.println(asJson(report, grown, watch.queriedFor(), interruption.hasHappened()));
        } else {
            line(out, watch, report.done());
            if (interruption.hasHappened()) {
                out.printf(
                        "interrupted after %,d of %,d seconds%n",
                        watch.queriedFor().toSeconds(), time.toSeconds());
            }
            print(out, report, grown);
        }
        out.flush();
        return report.failure().isEmpty() && grown.isEmpty() ? Hca.OK : Hca.NOT_AS_EXPECTED;
    }

    private Duration every() {
        Duration every = time.dividedBy(LINES);
        Duration min = Duration.ofSeconds(1);
        return every.compareTo(min) < 0 ? min : every.compareTo(MAX_BETWEEN_LINES) > 0 ? MAX_BETWEEN_LINES : every;
    }

    private static void header(PrintWriter out) {
        out.printf(
                "%8s %10s %12s %12s %12s %6s %12s %10s %10s %8s%n",
                "seconds",
                "rounds",
                "objects",
                "requests",
                "stages",
                "open",
                "MiB checked",
                "heap MiB",
                "direct MiB",
                "threads");
        out.flush();
    }

    private static void progress(PrintWriter out, Stopwatch watch, Soak soak) {
        if (watch.isRunning()) {
            line(out, watch, soak.done());
        }
    }

    private static void line(PrintWriter out, Stopwatch watch, Soak.Done done) {
        Footprint now = Footprint.now();
        out.printf(
                "%8d %,10d %,12d %,12d %,12d %,6d %,12.1f %10.1f %10.1f %8d%n",
                watch.seconds(),
                done.rounds(),
                done.objects(),
                done.requests(),
                done.stages(),
                done.stages() - done.ended(),
                done.verifiedBytes() / MEBI,
                now.heapBytes() / MEBI,
                now.directBytes() / MEBI,
                now.threads());
        out.flush();
    }

    private static void print(PrintWriter out, Soak.Report report, List<String> grown) {
        Footprint tolerance = Footprint.TOLERANCE;
        Soak.Done done = report.done();
        out.printf(
                "did       %,d rounds, %,d injected crashes; %,d stages, %,d of them ended; %,.1f MiB transferred,"
                        + " %,.1f MiB compared%n",
                done.rounds(),
                done.crashes(),
                done.stages(),
                done.ended(),
                done.transferredBytes() / MEBI,
                done.verifiedBytes() / MEBI);
        out.println("began     " + report.before());
        out.println("ended     " + report.after());
        out.println("allowed   " + tolerance + " more");
        report.failure().ifPresent(reason -> out.println("failed    " + reason.getMessage()));
        out.println("grown     " + (grown.isEmpty() ? "none" : String.join("; ", grown)));
    }

    private ObjectNode asJson(Soak.Report report, List<String> grown, Duration played, boolean interrupted) {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        all.put("seed", seed);
        all.put("secondsAsked", time.toSeconds());
        all.put("secondsPlayed", played.toMillis() / 1e3);
        all.put("interrupted", interrupted);
        Soak.Done done = report.done();
        all.put("rounds", done.rounds());
        all.put("objects", done.objects());
        all.put("requests", done.requests());
        all.put("stages", done.stages());
        all.put("stagesEnded", done.ended());
        all.put("bytesTransferred", done.transferredBytes());
        all.put("bytesCompared", done.verifiedBytes());
        all.put("crashes", done.crashes());
        ArrayNode actors = all.putArray("actors");
        report.actors().forEach(actors::add);
        put(all.putObject("began"), report.before());
        put(all.putObject("ended"), report.after());
        put(all.putObject("allowed"), Footprint.TOLERANCE);
        ArrayNode names = all.putArray("grown");
        grown.forEach(names::add);
        report.failure().ifPresent(reason -> all.put("failed", reason.getMessage()));
        return all;
    }

    private static void put(ObjectNode node, Footprint footprint) {
        node.put("heapBytes", footprint.heapBytes());
        node.put("directBytes", footprint.directBytes());
        node.put("threads", footprint.threads());
    }
}
