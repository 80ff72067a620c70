package org.hcaactors.benchmarks;

import java.util.Collection;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs the benchmarks in one go and prints each rate beside the floor of the same run. Takes JMH's own options. */
public final class Benchmarks {
    private Benchmarks() {}

    public static void main(String[] arguments) throws RunnerException, CommandLineOptionException {
        CommandLineOptions given = new CommandLineOptions(arguments);
        ChainedOptionsBuilder options = new OptionsBuilder().parent(given);
        if (given.getIncludes().isEmpty()) {
            options.include(RcSendBenchmark.class.getSimpleName());
        }
        Collection<RunResult> results = new Runner(options.build()).run();
        double floor = results.stream()
                .filter(r -> r.getPrimaryResult().getLabel().startsWith("floor"))
                .mapToDouble(r -> r.getPrimaryResult().getScore())
                .findFirst()
                .orElse(Double.NaN);
        System.out.printf("%n%-32s %10s %14s %12s%n", "", "ns/op", "M ops/s", "x floor");
        for (RunResult result : results) {
            double score = result.getPrimaryResult().getScore();
            System.out.printf(
                    "%-32s %10.1f %14.2f %12.2f%n",
                    result.getPrimaryResult().getLabel(), score, 1e3 / score, floor / score);
        }
    }
}
