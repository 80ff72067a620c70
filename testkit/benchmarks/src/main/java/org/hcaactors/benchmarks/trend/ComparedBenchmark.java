// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

/**
 * Result that is compared between builds: a benchmark with its baseline.
 *
 * @param name identifies the result in stored runs; only runs with the same name are compared
 * @param benchmark class and method, without the package
 * @param floor class and method of the baseline; both are measured in each round
 * @param isQuick true for one of the few that fit into two minutes
 */
public record ComparedBenchmark(String name, String benchmark, String floor, boolean isQuick) {
    public static ComparedBenchmark of(String name, Class<?> benchmarks, String benchmark, String floor) {
        String type = benchmarks.getSimpleName() + ".";
        return new ComparedBenchmark(name, type + benchmark, type + floor, false);
    }

    public ComparedBenchmark quick() {
        return new ComparedBenchmark(name, benchmark, floor, true);
    }
}
