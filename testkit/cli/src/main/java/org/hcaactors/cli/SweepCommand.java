// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.hcaactors.judge.nodes.NodeSweep;
import org.hcaactors.judge.nodes.NodesReport;
import org.hcaactors.judge.sweep.MinimalRun;
import org.hcaactors.judge.sweep.Sweep;
import org.hcaactors.judge.sweep.Traffic;
import org.hcaactors.lab.fault.FaultKind;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.picture.WorldPictures;
import org.hcaactors.lab.shrink.Shrunk;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.picture.Pictures;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "sweep",
        description =
                "Runs mixed traffic over RC, UC and UD, once per seed, under faults that the seed draws, with every"
                        + " invariant checked. With one seed (--seeds 1) it writes the ladder, the capture and the recorded run.",
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class SweepCommand implements Callable<Integer> {
    private static final int MAX_SHRUNK = 1000;

    @Option(names = "--seeds", paramLabel = "N", defaultValue = "200", description = "number of seeds (default: 200)")
    @AllowedRange(min = 1, max = Integer.MAX_VALUE)
    private int seeds;

    @Option(names = "--seed", paramLabel = "FIRST", defaultValue = "0", description = "first seed (default: 0)")
    @AllowedRange
    private long first;

    @Option(
            names = "--swarm",
            defaultValue = "WIRE",
            description =
                    "off, wire (loss, delay, reordering, corruption ...), disaster (also crashes and power loss), hostile (forged packets),"
                            + " resources (verbs are refused; with --traffic walk) or host (programs pause)"
                            + " (default: wire)")
    private Swarm swarm;

    @Option(
            names = "--traffic",
            defaultValue = "MIXED",
            description =
                    "mixed (every transport at once), or walk (random verbs without waiting, compared with a model)"
                            + " (default: mixed)")
    private Traffic traffic;

    @Option(
            names = "--unwatched",
            description =
                    "record no events, so that packets take the fast path as in production; faults on packets are left"
                            + " out, since they require recording")
    private boolean unwatched;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "folder of the pictures of a single seed (default: a new folder in target/hca-sweep)")
    private @Nullable Path directory;

    @Option(
            names = "--shrink",
            paramLabel = "N",
            arity = "0..1",
            defaultValue = "0",
            fallbackValue = "1",
            description = "shrink the first failure, or the first N, to minimal runs, and print them as tests")
    @AllowedRange(min = 0, max = MAX_SHRUNK)
    private int shrinks;

    @Option(
            names = "--shrink-seconds",
            defaultValue = "60",
            description = "seconds after which shrinking a failure stops with the best result so far (default: 60)")
    @AllowedRange(min = 1, max = 86_400)
    private int shrinkSeconds;

    @Option(names = "--json", description = "print one JSON document instead")
    private boolean json;

    @Mixin
    private SweepNodeOptions nodes;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BadInputException {
        Checks check = new Checks(spec);
        check.that(
                first <= Long.MAX_VALUE - (seeds - 1),
                "--seeds is " + seeds + " and --seed is " + first + "; the last possible seed is " + Long.MAX_VALUE
                        + ", so --seeds 1 to " + (Long.MAX_VALUE - first + 1) + " is allowed");
        check.that(shrinks == 0 || !unwatched, "--shrink requires a watched world; omit --shrink or --unwatched");
        check.that(
                traffic.takes(swarm),
                "--swarm resources requires --traffic walk, because mixed traffic does not expect refused verbs");
        nodes.check(check);
        Sweep sweep = Sweep.of(seeds)
                .from(first)
                .with(swarm)
                .with(traffic)
                .with(unwatched ? Watch.NOBODY : Watch.PROTOCOL)
                .onThreads(Runtime.getRuntime().availableProcessors());
        long begun = System.nanoTime();
        AtomicBoolean stop = new AtomicBoolean();
        try (Interruption interruption = Interruption.calling(() -> stop.set(true))) {
            NodesReport result =
                    nodes.areAsked() ? nodes.run(nodeSweep(sweep), !json, stop::get) : runHere(sweep, stop);
            double seconds = (System.nanoTime() - begun) / 1e9;
            int status = interruption.reported(print(sweep, result, seconds, interruption.hasHappened()));
            if (result.endedEarly().isPresent()) {
                throw new BadInputException(
                        "the sweep ended early: " + result.endedEarly().get().words());
            }
            return status;
        }
    }

    private NodeSweep nodeSweep(Sweep sweep) {
        return new NodeSweep(sweep, json ? 0 : shrinks, shrinkTime(), nodes.patience(), NodeSweep.DEFAULT_SILENCE);
    }

    private Duration shrinkTime() {
        return Duration.ofSeconds(shrinkSeconds);
    }

    private NodesReport runHere(Sweep sweep, AtomicBoolean stop) {
        AtomicInteger done = new AtomicInteger();
        try (Progress progress = new Progress(!json, seeds, done::get)) {
            Sweep.Report report = sweep.run(seed -> done.incrementAndGet(), stop::get);
            return new NodesReport(report, List.of(), Optional.empty());
        }
    }

    private int print(Sweep sweep, NodesReport result, double seconds, boolean interrupted) throws BadInputException {
        PrintWriter out = spec.commandLine().getOut();
        Sweep.Report report = result.report();
        if (json) {
            out.println(asJson(result, interrupted));
        } else {
            print(out, report, seconds, result.endedEarly().isPresent() ? "ended early" : "interrupted");
            minimalRuns(sweep, result).forEach(run -> out.printf("%n%s%n", run.text()));
        }
        if (seeds == 1 && !unwatched) {
            Path folder = folder();
            picture(sweep, folder);
            if (!json) {
                out.printf("%-11s %s/%s%n", "pictures", folder, Pictures.NAMES);
            }
        }
        out.flush();
        return report.isClean() ? Hca.OK : Hca.NOT_AS_EXPECTED;
    }

    private void print(PrintWriter out, Sweep.Report report, double seconds, String end) {
        String part = report.ran() < seeds ? String.format(" of %,d, %s", seeds, end) : "";
        out.printf("%-11s %,d%s%n", "seeds", report.ran(), part);
        if (unwatched) {
            out.printf("%-11s not counted%n", "packets");
        } else {
            out.printf("%-11s %,d (%,.0f a second)%n", "packets", report.packets(), report.packets() / seconds);
        }
        String kinds = report.struck().isEmpty() ? "" : " (" + FaultKind.words(report.struck()) + ")";
        out.printf("%-11s %,d%s%n", "faults", report.firings(), kinds);
        out.printf("%-11s %,d, %,d of them with SUCCESS%n", "requests", report.requests(), report.succeeded());
        out.printf("%-11s %,d%n", "failures", report.failures().size());
        for (Sweep.Failure failure : report.failures()) {
            out.printf(
                    "%n%s%n  faults    %s%n  replay    hca sweep --seeds 1 --seed %d --swarm %s --traffic %s%s%n",
                    failure.reason(),
                    failure.plan(),
                    failure.seed(),
                    name(swarm),
                    name(traffic),
                    unwatched ? " --unwatched" : "");
        }
    }

    private static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private Stream<MinimalRun> minimalRuns(Sweep sweep, NodesReport result) {
        return nodes.areAsked()
                ? result.minimal().stream()
                : result.report().failures().stream()
                        .limit(shrinks)
                        .flatMap(
                                failure -> MinimalRun.of(
                                        sweep, failure.seed(), shrinkTime(), System::nanoTime, this::showShrinking)
                                        .stream());
    }

    private void showShrinking(Shrunk smaller) {
        if (Boolean.getBoolean("hca.terminal")) {
            PrintWriter err = spec.commandLine().getErr();
            err.printf("\rshrinking: %d faults, %d runs ", smaller.faults(), smaller.runs());
            err.flush();
        }
    }

    private ObjectNode asJson(NodesReport result, boolean interrupted) {
        Sweep.Report report = result.report();
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        all.put("firstSeed", first);
        all.put("seedsAsked", seeds);
        all.put("seeds", report.ran());
        all.put("interrupted", interrupted);
        result.endedEarly().ifPresent(early -> all.put("endedEarly", early.words()));
        all.put("packets", report.packets());
        all.put("faults", report.firings());
        ObjectNode struck = all.putObject("struck");
        report.struck().forEach((kind, times) -> struck.put(kind.word(), times));
        all.put("requests", report.requests());
        all.put("succeeded", report.succeeded());
        ArrayNode failures = all.putArray("failures");
        for (Sweep.Failure failure : report.failures()) {
            ObjectNode one = failures.addObject();
            one.put("seed", failure.seed());
            one.put("why", failure.reason());
            one.put("faults", failure.plan().toString());
        }
        return all;
    }

    /** Returns a folder of its own, so that pictures of another failure are not overwritten. */
    private Path folder() {
        return directory != null
                ? directory
                : Path.of("target", "hca-sweep", name(swarm) + "-" + name(traffic) + "-seed-" + first);
    }

    private void picture(Sweep sweep, Path folder) throws BadInputException {
        World world = sweep.world(first);
        try (world) {
            world.faults().arm(sweep.plan(first));
            traffic.run(world);
        } catch (RuntimeException | AssertionError failure) {
            // The report has it already.
        }
        try {
            WorldPictures.write("hca sweep", world, folder);
        } catch (IOException refused) {
            throw BadInputException.unwritable(folder, refused);
        }
    }
}
