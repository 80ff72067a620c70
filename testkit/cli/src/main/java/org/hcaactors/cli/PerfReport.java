// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.Arrays;

/** Result of a test of perftest, with the columns of its table. */
final class PerfReport {
    private static final double MEBIBYTE = 1 << 20;

    private final boolean latency;
    private final int bytes;
    private final ObjectNode row;

    private PerfReport(boolean latency, int bytes, ObjectNode row) {
        this.latency = latency;
        this.bytes = bytes;
        this.row = row;
    }

    /** A measurement, without its figures. */
    record Measured(String test, String transport, int bytes, long messages) {
        private ObjectNode row() {
            return JsonNodeFactory.instance
                    .objectNode()
                    .put("test", test)
                    .put("transport", transport)
                    .put("bytes", bytes)
                    .put("iterations", messages);
        }
    }

    /** @param sorted nanoseconds of each message, the shortest first */
    static PerfReport latencies(Measured measured, long[] sorted) {
        double average = Arrays.stream(sorted).average().orElse(0);
        double variance = Arrays.stream(sorted)
                .mapToDouble(time -> (time - average) * (time - average))
                .average()
                .orElse(0);
        ObjectNode row = measured.row()
                .put("minMicros", sorted[0] / 1e3)
                .put("maxMicros", sorted[sorted.length - 1] / 1e3)
                .put("typicalMicros", at(sorted, 0.5))
                .put("averageMicros", average / 1e3)
                .put("deviationMicros", Math.sqrt(variance) / 1e3)
                .put("percentile99Micros", at(sorted, 0.99))
                .put("percentile999Micros", at(sorted, 0.999));
        return new PerfReport(true, measured.bytes, row);
    }

    private static double at(long[] sorted, double share) {
        return sorted[(int) Math.min(sorted.length - 1L, (long) (sorted.length * share))] / 1e3;
    }

    /**
     * @param average messages in a nanosecond
     * @param peak the same, at its best
     */
    static PerfReport rates(Measured measured, double average, double peak) {
        ObjectNode row = measured.row()
                .put("peakMebibytesPerSecond", measured.bytes * 1e9 * Math.max(average, peak) / MEBIBYTE)
                .put("mebibytesPerSecond", measured.bytes * 1e9 * average / MEBIBYTE)
                .put("millionMessagesPerSecond", 1e3 * average);
        return new PerfReport(false, measured.bytes, row);
    }

    /** Returns the figures, to which others may be added. */
    ObjectNode row() {
        return row;
    }

    double figure(String name) {
        return row.get(name).asDouble();
    }

    /** Prints perftest's table. */
    void print(PrintWriter out) {
        if (latency) {
            out.println(" #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]"
                    + "    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]");
            out.printf(
                    " %-6d %-13d %-14.2f %-12.2f %-16.2f %-14.2f %-15.2f %-22.2f %-20.2f%n",
                    bytes,
                    row.get("iterations").asLong(),
                    figure("minMicros"),
                    figure("maxMicros"),
                    figure("typicalMicros"),
                    figure("averageMicros"),
                    figure("deviationMicros"),
                    figure("percentile99Micros"),
                    figure("percentile999Micros"));
        } else {
            out.println(" #bytes     #iterations    BW peak[MiB/sec]    BW average[MiB/sec]   MsgRate[Mpps]");
            out.printf(
                    " %-10d %-14d %-18.2f %-21.2f %-12.6f%n",
                    bytes,
                    row.get("iterations").asLong(),
                    figure("peakMebibytesPerSecond"),
                    figure("mebibytesPerSecond"),
                    figure("millionMessagesPerSecond"));
        }
    }
}
