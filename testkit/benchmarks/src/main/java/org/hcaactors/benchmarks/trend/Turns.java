// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Whose round comes when: A B B A, so that a machine that gets slower or faster meanwhile favours neither. */
final class Turns {
    private Turns() {}

    /** Each of both has so many turns. */
    static <T> List<T> of(T a, T b, int rounds) {
        return IntStream.range(0, rounds)
                .boxed()
                .flatMap(round -> round % 2 == 0 ? Stream.of(a, b) : Stream.of(b, a))
                .toList();
    }
}
