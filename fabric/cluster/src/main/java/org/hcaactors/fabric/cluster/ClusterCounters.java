// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** The counters of a node, for any thread. */
final class ClusterCounters {
    /** By the ordinals of the counters. */
    private final LongAdder[] adders = Stream.generate(LongAdder::new)
            .limit(ClusterCounter.values().length)
            .toArray(LongAdder[]::new);

    void add(ClusterCounter counter, long number) {
        adders[counter.ordinal()].add(number);
    }

    SortedMap<String, Long> byName() {
        SortedMap<String, Long> values = new TreeMap<>();
        for (ClusterCounter counter : ClusterCounter.values()) {
            values.put(counter.text(), adders[counter.ordinal()].sum());
        }
        return values;
    }
}
