// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.FaultLatencies;
import org.hcaactors.api.device.PagingCounters;

// rules paging-counters, paging-gauges, paging-histogram
/** Files in which a kernel reports an adapter's paging counters: their paths and contents. */
final class PagingFiles {
    private static final String STANDARD = "/sys/class/infiniband_verbs/uverbs%d/";
    private static final String DEBUG = "/sys/kernel/debug/mlx5/0000:%02x:00.0/odp_stats/";
    private static final int FIRST_BUS = 4;

    /** A kernel keeps these counters in 32 bits. */
    private static final long BITS = 0xFFFF_FFFFL;

    /** @param rootOnly true if the file has mode 0400 and belongs to root */
    record File(boolean rootOnly, List<String> lines) {
        private static File of(boolean rootOnly, long value) {
            return new File(rootOnly, List.of(Long.toString(value & BITS)));
        }
    }

    private PagingFiles() {}

    /** Returns the files of these adapters, which are numbered in this order, from 0. */
    static SortedMap<String, File> of(List<Adapter> adapters) {
        SortedMap<String, File> files = new TreeMap<>();
        for (int number = 0; number < adapters.size(); number++) {
            add(adapters.get(number), number, files);
        }
        return files;
    }

    private static void add(Adapter adapter, int number, SortedMap<String, File> files) {
        PagingCounters counted = adapter.pagingCounters();
        counted.standard()
                .forEach((name, value) -> files.put(STANDARD.formatted(number) + name, File.of(false, value)));
        String debug = DEBUG.formatted(FIRST_BUS + number);
        counted.debug().forEach((name, value) -> files.put(debug + name, File.of(true, value)));
        files.put(debug + "odp_hist", new File(true, histogram(adapter.faultLatencies())));
    }

    /** Returns one line for each class with entries. */
    private static List<String> histogram(FaultLatencies latencies) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < FaultLatencies.CLASSES; i++) {
            long min = i == 0 ? 0 : 1L << i - 1;
            String max = i == FaultLatencies.CLASSES - 1 ? "" : Long.toString((1L << i) - 1);
            if (latencies.counts().get(i) > 0) {
                lines.add("%d..%s us: %d".formatted(min, max, latencies.counts().get(i)));
            }
        }
        return lines;
    }
}
