// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hcaactors.benchmarks.trend.ComparedBenchmark;
import org.hcaactors.benchmarks.trend.FloorRatio;
import org.hcaactors.benchmarks.trend.TrendRefusal;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Measures figures once: each benchmark and each baseline in a JVM of its own, the minimum of its iterations. */
final class SuiteRound {
    // CPU time of a process is counted in hundredths of a second: a measurement must be long in comparison.
    private static final TimeValue WARM = TimeValue.milliseconds(1000);
    private static final TimeValue MEASURED = TimeValue.milliseconds(1000);
    private static final TimeValue WARM_QUICKLY = TimeValue.milliseconds(400);
    private static final TimeValue MEASURED_QUICKLY = TimeValue.milliseconds(600);

    private SuiteRound() {}

    private record Least(double cpu, double clock) {
        static Least of(RunResult result) {
            return new Least(
                    Benchmarks.cpu(result),
                    result.getPrimaryResult().getStatistics().getMin());
        }

        FloorRatio on(Least floor) {
            return new FloorRatio(floor.cpu / cpu, floor.clock / clock);
        }
    }

    static Map<String, FloorRatio> measure(List<ComparedBenchmark> statistics, boolean quick) {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .addProfiler(CpuTime.class)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .warmupIterations(3)
                .warmupTime(quick ? WARM_QUICKLY : WARM)
                .measurementIterations(quick ? 1 : 2)
                .measurementTime(quick ? MEASURED_QUICKLY : MEASURED);
        statistics.stream()
                .flatMap(figure -> Stream.of(figure.benchmark(), figure.floor()))
                .distinct()
                .forEach(name -> options.include("^" + Pattern.quote(fullName(name)) + "$"));
        Map<String, Least> measured = new TreeMap<>();
        for (RunResult result : run(options)) {
            measured.put(result.getParams().getBenchmark(), Least.of(result));
        }
        Map<String, FloorRatio> ratios = new TreeMap<>();
        for (ComparedBenchmark figure : statistics) {
            ratios.put(figure.name(), of(measured, figure.benchmark()).on(of(measured, figure.floor())));
        }
        return ratios;
    }

    private static Iterable<RunResult> run(ChainedOptionsBuilder options) {
        try {
            return new Runner(options.build()).run();
        } catch (RunnerException failed) {
            throw new TrendRefusal("a benchmark failed: " + failed.getMessage());
        }
    }

    private static String fullName(String benchmark) {
        return SuiteRound.class.getPackageName() + "." + benchmark;
    }

    private static Least of(Map<String, Least> measured, String benchmark) {
        Least min = measured.get(fullName(benchmark));
        if (min == null) {
            throw new TrendRefusal("no result for benchmark " + benchmark);
        }
        return min;
    }
}
