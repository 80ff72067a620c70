// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

/**
 * What a trend follows: a benchmark beside its floor.
 *
 * @param name by which runs are compared; an earlier run is compared with this one as long as it stays
 * @param benchmark class and method, without the package
 * @param floor the same; both are measured in each round
 * @param isQuick it is one of the few that fit into two minutes
 */
public record Figure(String name, String benchmark, String floor, boolean isQuick) {
    public static Figure of(String name, Class<?> benchmarks, String benchmark, String floor) {
        String type = benchmarks.getSimpleName() + ".";
        return new Figure(name, type + benchmark, type + floor, false);
    }

    public Figure quick() {
        return new Figure(name, benchmark, floor, true);
    }
}
