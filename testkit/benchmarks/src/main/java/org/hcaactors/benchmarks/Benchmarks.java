// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.benchmarks.cable.CableSpeed;
import org.hcaactors.benchmarks.trend.TrendCommand;
import org.hcaactors.benchmarks.trend.TrendOptions;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs all benchmarks and prints each relative to the baseline of its own class, size and run, by elapsed time and by CPU time;
 * then prints the costs of waiting and of idle objects. Takes JMH's options; with a pattern only the matching benchmarks run.
 * If the first argument names a mode, that mode runs instead.
 */
public final class Benchmarks {
    private static final List<Class<?>> ALL = List.of(
            RcSendBenchmark.class,
            ReaderBenchmark.class,
            MixedBenchmark.class,
            FaultsArmedBenchmark.class,
            ShardsBenchmark.class,
            TransportBenchmark.class,
            DcBenchmark.class,
            LatencyBenchmark.class,
            SubmitBenchmark.class,
            AwaitBenchmark.class,
            WriteBenchmark.class,
            TagListBenchmark.class,
            TagBenchmark.class,
            RendezvousBenchmark.class,
            KeyBenchmark.class,
            AtomicBenchmark.class,
            WakeBenchmark.class,
            ConnectBenchmark.class,
            SimulationBenchmark.class);

    /** Reports that are too long or too large for JMH; they run after the benchmarks. */
    private static final List<Report> REPORTS = List.of(
            SweepRate::print,
            SweepNodesRate::print,
            IdleProcessor::print,
            IdleHeap::print,
            ConnectStorm::print,
            CableSpeed::print);

    private static final String USAGE = """
            bench [PATTERN] [JMH's options]     runs the benchmarks, each with its floor; all of them take about 30 minutes
            bench -l                            lists them
            bench --store FILE                  stores the results of the suite in FILE, and this build in FILE.build
            bench --compare FILE                runs that build and this one in turn, and reports the changes beyond noise
            bench --million [N]                 connects a million RC queue pairs, or N, in a heap of 4 GiB
            bench --cable [ROUNDS [PART]]       measures the UDP cable between two JVMs: all figures, or those whose names contain PART
            --store and --compare accept --quick, --rounds N and --only PATTERN, in any order. JMH's options:
            """;

    /** Environment variable, set by the launcher. */
    private static final String COMMIT = "HCA_COMMIT";

    private Benchmarks() {}

    /** Prints figures that JMH does not measure. */
    @FunctionalInterface
    interface Report {
        void print() throws InterruptedException;
    }

    public static void main(String[] arguments) throws RunnerException, InterruptedException, IOException {
        if (TrendOptions.areIn(List.of(arguments))) {
            System.exit(trend(List.of(arguments)));
        }
        CommandLineOptions given = given(arguments);
        if (given.shouldHelp()) {
            System.out.println(USAGE);
            given.showHelp();
        } else if (given.shouldList()) {
            ALL.forEach(benchmark -> System.out.println(benchmark.getSimpleName()));
        } else {
            benchmarks(given);
        }
    }

    private static CommandLineOptions given(String[] arguments) {
        try {
            return new CommandLineOptions(Stream.of(arguments)
                    .map(each -> each.equals("--help") ? "-h" : each)
                    .toArray(String[]::new));
        } catch (CommandLineOptionException refused) {
            throw refuse(refused.getMessage() + "; testkit/bench --help lists the options");
        }
    }

    private static Collection<RunResult> run(Options options, CommandLineOptions given) throws RunnerException {
        try {
            return new Runner(options).run();
        } catch (NoBenchmarksException none) {
            throw refuse(
                    "no benchmark has a name that matches " + given.getIncludes() + "; testkit/bench -l lists them");
        }
    }

    /** Prints the reason and ends the program. */
    private static IllegalStateException refuse(String reason) {
        System.err.println("bench: " + reason);
        System.exit(2);
        return new IllegalStateException(reason);
    }

    private static void benchmarks(CommandLineOptions given) throws RunnerException, InterruptedException {
        ChainedOptionsBuilder options = new OptionsBuilder().parent(given).addProfiler(CpuTime.class);
        boolean everything = given.getIncludes().isEmpty();
        if (everything) {
            ALL.forEach(benchmark -> options.include(benchmark.getSimpleName()));
        }
        Collection<RunResult> results = run(options.build(), given);
        System.out.printf(
                "%n%-40s %12s %14s %10s %12s %10s%n", "", "ns/op", "M ops/s", "x floor", "CPU ns/op", "x floor");
        for (Class<?> benchmark : ALL) {
            print(results.stream().filter(result -> isOf(result, benchmark)).toList());
        }
        if (everything) {
            for (Report report : REPORTS) {
                report.print();
            }
        }
    }

    private static int trend(List<String> arguments) throws InterruptedException {
        Optional<String> commit = Optional.ofNullable(System.getenv(COMMIT)).filter(name -> !name.isEmpty());
        return new TrendCommand(ComparedBenchmarks.FIGURES, SuiteRound::measure, commit, System.out, System.err)
                .run(arguments);
    }

    private static boolean isOf(RunResult result, Class<?> benchmark) {
        return result.getParams().getBenchmark().startsWith(benchmark.getName() + ".");
    }

    private static void print(List<RunResult> results) {
        for (RunResult result : results) {
            Optional<RunResult> floor = results.stream()
                    .filter(other -> other.getPrimaryResult().getLabel().startsWith("floor"))
                    .filter(other -> isAsLarge(other, result))
                    .findFirst();
            System.out.printf(
                    "%-40s %12.1f %14.3f %10s %12.1f %10s%n",
                    result.getPrimaryResult().getLabel() + sizes(result),
                    time(result),
                    1e3 / time(result),
                    beside(floor.map(Benchmarks::time), time(result)),
                    cpu(result),
                    beside(floor.map(Benchmarks::cpu), cpu(result)));
        }
    }

    /** True if every parameter of the baseline has the same value in the other; the other may have more parameters. */
    private static boolean isAsLarge(RunResult floor, RunResult other) {
        BenchmarkParams parameters = floor.getParams();
        return parameters.getParamsKeys().stream()
                .allMatch(each -> Objects.equals(
                        parameters.getParam(each), other.getParams().getParam(each)));
    }

    private static String sizes(RunResult result) {
        BenchmarkParams parameters = result.getParams();
        return parameters.getParamsKeys().stream()
                .map(each -> " " + parameters.getParam(each))
                .collect(Collectors.joining());
    }

    private static double time(RunResult result) {
        return result.getPrimaryResult().getScore();
    }

    static double cpu(RunResult result) {
        return Objects.requireNonNull(result.getSecondaryResults().get(CpuTime.LABEL), "no CPU time")
                .getScore();
    }

    private static String beside(Optional<Double> floor, double score) {
        return floor.map(known -> "%.2f".formatted(known / score)).orElse("-");
    }
}
