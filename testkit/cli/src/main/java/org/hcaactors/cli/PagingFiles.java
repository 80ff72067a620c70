// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.util.SortedMap;
import java.util.TreeMap;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.PagingCounters;

// rules paging-counters, paging-gauges
/** The files in which a kernel tells what an adapter has counted of pages: their paths, and what stands in them. */
final class PagingFiles {
    private static final String STANDARD = "/sys/class/infiniband_verbs/uverbs%d/";
    private static final String DEBUG = "/sys/kernel/debug/mlx5/0000:%02x:00.0/odp_stats/";
    private static final int FIRST_BUS = 4;

    /** A kernel keeps them in 32 bits. */
    private static final long BITS = 0xFFFF_FFFFL;

    private PagingFiles() {}

    /** @param number of the adapter in its host, from 0 */
    static SortedMap<String, Long> of(Adapter adapter, int number) {
        PagingCounters counted = adapter.pagingCounters();
        SortedMap<String, Long> files = new TreeMap<>();
        counted.standard().forEach((name, value) -> files.put(STANDARD.formatted(number) + name, value & BITS));
        counted.debug().forEach((name, value) -> files.put(DEBUG.formatted(FIRST_BUS + number) + name, value & BITS));
        return files;
    }
}
