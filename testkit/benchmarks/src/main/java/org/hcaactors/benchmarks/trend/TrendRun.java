// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Rounds of the suite, with their machine.
 *
 * @param commit commit of the sources, if known
 * @param build folder next to the stored file with the build that ran; empty: not kept
 * @param quick true if its rounds are short
 * @param rounds ratios by the name of the figure; each round in a JVM of its own
 */
public record TrendRun(
        BenchMachine machine,
        Optional<String> commit,
        Optional<String> build,
        boolean quick,
        List<Map<String, FloorRatio>> rounds) {
    public TrendRun {
        rounds = rounds.stream().map(Map::copyOf).toList();
    }

    public TrendRun inBuild(String folder) {
        return new TrendRun(machine, commit, Optional.of(folder), quick, rounds);
    }

    /** Returns the values of one figure; empty if the rounds do not have it. */
    double[] of(String figure, TrendMeasure measure) {
        return rounds.stream()
                .filter(round -> round.containsKey(figure))
                .mapToDouble(round -> measure.of(round.get(figure)))
                .toArray();
    }
}
