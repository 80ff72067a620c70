// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs the benchmarks in one go and prints each beside the floor of its own class and run, and then what waiting and idle
 * objects cost. Takes JMH's own options; with a pattern it runs only what matches.
 */
public final class Benchmarks {
    private static final List<Class<?>> ALL = List.of(
            RcSendBenchmark.class,
            TransportBenchmark.class,
            DcBenchmark.class,
            LatencyBenchmark.class,
            WriteBenchmark.class,
            KeyBenchmark.class,
            AtomicBenchmark.class,
            WakeBenchmark.class,
            SimulationBenchmark.class);

    private Benchmarks() {}

    public static void main(String[] arguments)
            throws RunnerException, CommandLineOptionException, InterruptedException {
        CommandLineOptions given = new CommandLineOptions(arguments);
        ChainedOptionsBuilder options = new OptionsBuilder().parent(given);
        boolean everything = given.getIncludes().isEmpty();
        if (everything) {
            ALL.forEach(benchmark -> options.include(benchmark.getSimpleName()));
        }
        Collection<RunResult> results = new Runner(options.build()).run();
        System.out.printf("%n%-32s %12s %14s %12s%n", "", "ns/op", "M ops/s", "x floor");
        for (Class<?> benchmark : ALL) {
            print(results.stream().filter(result -> isOf(result, benchmark)).toList());
        }
        if (everything) {
            IdleProcessor.print();
            IdleHeap.print();
        }
    }

    private static boolean isOf(RunResult result, Class<?> benchmark) {
        return result.getParams().getBenchmark().startsWith(benchmark.getName() + ".");
    }

    private static void print(List<RunResult> results) {
        double floor = results.stream()
                .filter(result -> result.getPrimaryResult().getLabel().startsWith("floor"))
                .mapToDouble(result -> result.getPrimaryResult().getScore())
                .findFirst()
                .orElse(Double.NaN);
        for (RunResult result : results) {
            double score = result.getPrimaryResult().getScore();
            System.out.printf(
                    "%-32s %12.1f %14.3f %12.2f%n",
                    result.getPrimaryResult().getLabel(), score, 1e3 / score, floor / score);
        }
    }
}
