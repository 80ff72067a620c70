// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.PagingCounters;

/** An adapter's packet and paging counters at the end of a run, by mlx5 name. */
public final class MovedCounters {
    // rule paging-counters
    /** Omitted counters: the first is an alias of another counter, the second starts at 1. */
    private static final Set<String> OMITTED = Set.of("num_prefetchs_handled", "num_prefetch");

    /** The names of all counters. */
    static final List<String> NAMES = Stream.concat(
                    Arrays.stream(Counter.values()).map(Counter::mlx5Name),
                    ofPages(PagingCounters.ZERO).keySet().stream())
            .toList();

    private MovedCounters() {}

    /** Returns the counters that are not 0. */
    public static SortedMap<String, Long> of(Adapter adapter) {
        SortedMap<String, Long> moved = new TreeMap<>(adapter.counters());
        moved.putAll(ofPages(adapter.pagingCounters()));
        moved.values().removeIf(value -> value == 0);
        return moved;
    }

    private static Map<String, Long> ofPages(PagingCounters counted) {
        SortedMap<String, Long> all = new TreeMap<>(counted.standard());
        all.putAll(counted.debug());
        all.keySet().removeAll(OMITTED);
        return all;
    }
}
