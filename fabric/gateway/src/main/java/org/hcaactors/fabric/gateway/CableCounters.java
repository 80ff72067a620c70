// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.hcaactors.fabric.cable.CableCounter;

/** The counters of one cable, for any thread. */
final class CableCounters {
    /** By the ordinals of the counters. */
    private final LongAdder[] adders =
            Stream.generate(LongAdder::new).limit(CableCounter.values().length).toArray(LongAdder[]::new);

    void count(CableCounter counter) {
        add(counter, 1);
    }

    void add(CableCounter counter, long packets) {
        adders[counter.ordinal()].add(packets);
    }

    long of(CableCounter counter) {
        return adders[counter.ordinal()].sum();
    }

    SortedMap<String, Long> byName() {
        SortedMap<String, Long> values = new TreeMap<>();
        for (CableCounter counter : CableCounter.values()) {
            values.put(counter.text(), of(counter));
        }
        return values;
    }
}
