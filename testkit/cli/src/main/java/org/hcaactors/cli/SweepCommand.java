// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.judge.sweep.Sweep;
import org.hcaactors.judge.sweep.Traffic;
import org.hcaactors.lab.fault.FaultKind;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.picture.WorldPictures;
import org.hcaactors.lab.shrink.PastedTest;
import org.hcaactors.lab.shrink.Shrinker;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.picture.Pictures;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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

    @Option(names = "--shrink", description = "shrink the first failure to a minimal run, and print it as a test")
    private boolean shrink;

    @Option(
            names = "--shrink-seconds",
            defaultValue = "60",
            description = "seconds after which shrinking stops with the best result so far (default: 60)")
    @AllowedRange(min = 1, max = 86_400)
    private int shrinkSeconds;

    @Option(names = "--json", description = "print one JSON document instead")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BadInputException {
        Checks check = new Checks(spec);
        check.that(
                first <= Long.MAX_VALUE - (seeds - 1),
                "--seeds is " + seeds + " and --seed is " + first + "; the last possible seed is " + Long.MAX_VALUE
                        + ", so --seeds 1 to " + (Long.MAX_VALUE - first + 1) + " is allowed");
        check.that(!shrink || !unwatched, "--shrink requires a watched world; omit --shrink or --unwatched");
        check.that(
                traffic.takes(swarm),
                "--swarm resources requires --traffic walk, because mixed traffic does not expect refused verbs");
        Sweep sweep = Sweep.of(seeds)
                .from(first)
                .with(swarm)
                .with(traffic)
                .with(unwatched ? Watch.NOBODY : Watch.PROTOCOL)
                .onThreads(Runtime.getRuntime().availableProcessors());
        long begun = System.nanoTime();
        AtomicInteger done = new AtomicInteger();
        AtomicBoolean stop = new AtomicBoolean();
        try (Interruption interruption = Interruption.calling(() -> stop.set(true))) {
            Sweep.Report report;
            try (Progress progress = new Progress(!json, seeds, done::get)) {
                report = sweep.run(seed -> done.incrementAndGet(), stop::get);
            }
            return interruption.reported(
                    print(sweep, report, (System.nanoTime() - begun) / 1e9, interruption.hasHappened()));
        }
    }

    private int print(Sweep sweep, Sweep.Report report, double seconds, boolean interrupted) throws BadInputException {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(asJson(report, interrupted));
        } else {
            print(out, report, seconds);
        }
        if (shrink && !report.isClean() && !json) {
            printShrunk(out, report.failures().getFirst());
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

    private void print(PrintWriter out, Sweep.Report report, double seconds) {
        String part = report.ran() < seeds ? String.format(" of %,d, interrupted", seeds) : "";
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
                    failure.reason().getMessage(),
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

    private void printShrunk(PrintWriter out, Sweep.Failure failure) {
        long until = System.nanoTime() + shrinkSeconds * 1_000_000_000L;
        PrintWriter err = spec.commandLine().getErr();
        Shrinker shrinker = new Shrinker(traffic::run, () -> System.nanoTime() > until, smaller -> {
            if (Boolean.getBoolean("hca.terminal")) {
                err.printf("\rshrinking: %d faults, %d runs ", smaller.faults(), smaller.runs());
                err.flush();
            }
        });
        shrinker.shrink(failure.seed(), failure.plan()).ifPresent(shrunk -> {
            out.printf("%n%s%n%s%n%n", shrunk.story(), shrunk);
            out.println(PastedTest.source(shrunk, "Shrunk", traffic.call(), Traffic.class));
        });
    }

    private ObjectNode asJson(Sweep.Report report, boolean interrupted) {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        all.put("firstSeed", first);
        all.put("seedsAsked", seeds);
        all.put("seeds", report.ran());
        all.put("interrupted", interrupted);
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
            one.put("why", failure.reason().getMessage());
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
