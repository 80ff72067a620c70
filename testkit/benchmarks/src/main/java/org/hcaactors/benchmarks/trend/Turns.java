// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Order of the rounds of two builds: A B B A, so that a machine that becomes slower or faster meanwhile favours neither. */
final class Turns {
    private Turns() {}

    /** Returns an order with the given number of rounds of each. */
    static <T> List<T> of(T a, T b, int rounds) {
        return IntStream.range(0, rounds)
                .boxed()
                .flatMap(round -> round % 2 == 0 ? Stream.of(a, b) : Stream.of(b, a))
                .toList();
    }
}
