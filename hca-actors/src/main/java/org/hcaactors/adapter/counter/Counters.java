// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.counter;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLongArray;

/** One port's counters, written by its actors and read from any thread. */
public final class Counters {
    private final AtomicLongArray values = new AtomicLongArray(Counter.values().length);

    public void count(Counter counter) {
        values.getAndIncrement(counter.ordinal());
    }

    public long value(Counter counter) {
        return values.get(counter.ordinal());
    }

    public SortedMap<String, Long> byName() {
        SortedMap<String, Long> byName = new TreeMap<>();
        for (Counter counter : Counter.values()) {
            byName.put(counter.mlx5Name(), value(counter));
        }
        return byName;
    }
}
