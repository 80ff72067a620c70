// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.counter;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** Counters of one port. They are written for each packet by actors that may be on several shards, and read from any thread. */
public final class PortCounters {
    private final LongAdder[] values =
            Stream.generate(LongAdder::new).limit(Counter.values().length).toArray(LongAdder[]::new);

    public void count(Counter counter) {
        values[counter.ordinal()].increment();
    }

    public long value(Counter counter) {
        return values[counter.ordinal()].sum();
    }

    public SortedMap<String, Long> byName() {
        SortedMap<String, Long> byName = new TreeMap<>();
        for (Counter counter : Counter.values()) {
            byName.put(counter.mlx5Name(), value(counter));
        }
        return byName;
    }
}
