// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Stores a run of the suite, or compares one with a stored run. */
public final class TrendCommand {
    private static final int UNCHANGED = 0;
    private static final int SLOWER = 1;
    private static final int REFUSED = 2;

    /** Fewer rounds show little, even of one figure. */
    private static final int MIN_ROUNDS = 5;

    private final List<ComparedBenchmark> suite;
    private final RoundMeter meter;
    private final Optional<String> commit;
    private final PrintStream out;
    private final PrintStream err;

    /** Measures the figures once, in this JVM or in JVMs that it starts. */
    @FunctionalInterface
    public interface RoundMeter {
        /** Measures; throws TrendRefusal if a benchmark fails. */
        Map<String, FloorRatio> measure(List<ComparedBenchmark> figures, boolean quick);
    }

    /**
     * Creates the command.
     *
     * @param commit commit of the sources of this build
     */
    public TrendCommand(
            List<ComparedBenchmark> suite,
            RoundMeter meter,
            Optional<String> commit,
            PrintStream out,
            PrintStream complaints) {
        this.suite = suite;
        this.meter = meter;
        this.commit = commit;
        this.out = out;
        this.err = complaints;
    }

    /**
     * Runs the command. Returns 0, or 1 if a figure became worse beyond noise, or 2 after a line that says why nothing was
     * done.
     */
    public int run(List<String> arguments) throws InterruptedException {
        try {
            TrendOptions options = TrendOptions.of(arguments);
            List<ComparedBenchmark> figures = options.chosen(suite);
            return switch (options.task()) {
                case STORE -> store(options, figures);
                case COMPARE -> compare(options, figures);
                case ROUND -> round(options, figures);
            };
        } catch (TrendRefusal refusal) {
            err.println("bench: " + refusal.getMessage());
            return REFUSED;
        }
    }

    private int round(TrendOptions options, List<ComparedBenchmark> figures) {
        TrendFile.write(options.file(), now(options, List.of(meter.measure(figures, options.quick()))));
        return UNCHANGED;
    }

    private TrendRun now(TrendOptions options, List<Map<String, FloorRatio>> rounds) {
        return new TrendRun(BenchMachine.current(), commit, Optional.empty(), options.quick(), rounds);
    }

    private int store(TrendOptions options, List<ComparedBenchmark> figures) throws InterruptedException {
        Path file = options.file().toAbsolutePath();
        Path folder = KeptBuild.folderOf(file);
        for (Path taken : List.of(file, folder)) {
            if (Files.exists(taken)) {
                throw new TrendRefusal(taken + " exists already; remove it, or use another name");
            }
        }
        KeptBuild.keep(BuildUnderTest.ownClassPath(), folder);
        BuildUnderTest build =
                new BuildUnderTest("this build", KeptBuild.classPath(folder).orElseThrow());
        run(Collections.nCopies(rounds(options, figures), build), options);
        TrendFile.write(
                file, now(options, build.rounds()).inBuild(folder.getFileName().toString()));
        out.println("stored in " + file + ", and the build in " + folder);
        return UNCHANGED;
    }

    private static int rounds(TrendOptions options, List<ComparedBenchmark> figures) {
        return options.rounds()
                .orElseGet(() -> Math.max(MIN_ROUNDS, Noise.minRounds(TrendTable.comparisons(figures.size()))));
    }

    private int compare(TrendOptions options, List<ComparedBenchmark> figures) throws InterruptedException {
        Path file = options.file().toAbsolutePath();
        TrendRun stored = TrendFile.read(file);
        Optional<BuildUnderTest> kept = stored.build()
                .flatMap(name -> KeptBuild.classPath(file.resolveSibling(name)))
                .map(path -> new BuildUnderTest("the stored build", path));
        int rounds = rounds(options, figures);
        if (kept.isEmpty()) {
            refuseOtherRounds(stored, options);
        }
        refuseTooFew(kept.isPresent() ? rounds : stored.rounds().size(), rounds, figures);
        out.println("stored: "
                + stored.commit().map(name -> "commit " + name + ", ").orElse("") + stored.machine());
        BuildUnderTest ours = new BuildUnderTest(
                "this build",
                KeptBuild.classPath(BuildUnderTest.copyOfCurrent()).orElseThrow());
        run(kept.map(theirs -> Turns.of(theirs, ours, rounds)).orElse(Collections.nCopies(rounds, ours)), options);
        TrendTable table = new TrendTable(
                figures.stream().map(ComparedBenchmark::name).toList(),
                kept.map(theirs -> now(options, theirs.rounds())).orElse(stored),
                now(options, ours.rounds()),
                kept.isPresent() ? Optional.empty() : Optional.of(stored.machine()));
        out.print(table.text());
        return table.gotWorse() ? SLOWER : UNCHANGED;
    }

    private void run(List<BuildUnderTest> order, TrendOptions options) throws InterruptedException {
        for (int turn = 0; turn < order.size(); turn++) {
            out.printf(
                    "round %d of %d, %s%n",
                    turn + 1, order.size(), order.get(turn).name());
            order.get(turn).round(options);
        }
    }

    private static void refuseOtherRounds(TrendRun stored, TrendOptions options) {
        if (stored.quick() != options.quick()) {
            throw new TrendRefusal("the stored build was removed, and its rounds were "
                    + (stored.quick() ? "quick ones: compare with --quick" : "long ones: compare without --quick"));
        }
    }

    private static void refuseTooFew(int stored, int now, List<ComparedBenchmark> figures) {
        int comparisons = TrendTable.comparisons(figures.size());
        if (!Noise.canBeSignificant(stored, now, comparisons)) {
            throw new TrendRefusal(
                    "%d stored rounds and %d new ones are too few to tell a change of %d figures from chance; at least %d of each are required"
                            .formatted(stored, now, figures.size(), Noise.minRounds(comparisons)));
        }
    }
}
