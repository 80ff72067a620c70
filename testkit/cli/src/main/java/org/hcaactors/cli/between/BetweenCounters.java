// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.between;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** The counters of both sides. Any thread. */
public final class BetweenCounters {
    /** By the ordinals of the counters, first those of a, then those of b. */
    private final LongAdder[] adders = Stream.generate(LongAdder::new)
            .limit((long) HostSide.values().length * BetweenCounter.values().length)
            .toArray(LongAdder[]::new);

    private LongAdder adder(HostSide side, BetweenCounter counter) {
        return adders[side.ordinal() * BetweenCounter.values().length + counter.ordinal()];
    }

    void count(HostSide side, BetweenCounter counter) {
        adder(side, counter).increment();
    }

    /** Returns the value. */
    public long of(HostSide side, BetweenCounter counter) {
        return adder(side, counter).sum();
    }

    /** Returns the values by name, for example {@code a_rx_packets}. */
    public Map<String, Long> byName() {
        Map<String, Long> values = new LinkedHashMap<>();
        for (HostSide side : HostSide.values()) {
            for (BetweenCounter counter : BetweenCounter.values()) {
                values.put(side + "_" + counter.text(), of(side, counter));
            }
        }
        return values;
    }
}
