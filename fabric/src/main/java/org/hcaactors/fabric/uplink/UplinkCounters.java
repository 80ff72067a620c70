// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.uplink;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The counters of an uplink. Any thread.
 *
 * @param <C> names of the counters
 */
public final class UplinkCounters<C extends Enum<C>> {
    private final C[] names;
    private final Function<C, String> text;
    /** By the ordinals of the names. */
    private final LongAdder[] adders;

    /**
     * Creates counters that are zero.
     *
     * @param text the name under which {@link #byName} has a counter
     */
    public UplinkCounters(Class<C> names, Function<C, String> text) {
        this.names = names.getEnumConstants();
        this.text = text;
        adders = Stream.generate(LongAdder::new).limit(this.names.length).toArray(LongAdder[]::new);
    }

    public void count(C counter) {
        add(counter, 1);
    }

    public void add(C counter, long number) {
        adders[counter.ordinal()].add(number);
    }

    public long of(C counter) {
        return adders[counter.ordinal()].sum();
    }

    /** Returns a copy of all values. */
    public SortedMap<String, Long> byName() {
        SortedMap<String, Long> values = new TreeMap<>();
        for (C counter : names) {
            values.put(text.apply(counter), of(counter));
        }
        return values;
    }
}
