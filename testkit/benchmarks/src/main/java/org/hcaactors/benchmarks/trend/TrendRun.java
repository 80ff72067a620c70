// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Rounds of the suite and what they ran on.
 *
 * @param commit of the sources, if it was known
 * @param build folder beside the stored file in which the build is kept that ran; empty: it is not kept
 * @param quick its rounds are short ones
 * @param rounds by the name of the figure; each a JVM of its own
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

    /** What the rounds show of one figure; empty if they have it not. */
    double[] of(String figure, TrendMeasure measure) {
        return rounds.stream()
                .filter(round -> round.containsKey(figure))
                .mapToDouble(round -> measure.of(round.get(figure)))
                .toArray();
    }
}
