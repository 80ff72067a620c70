// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

import java.time.Duration;
import java.util.List;

// rule paging-histogram
/**
 * Histogram of the latencies of page faults that were resolved, from when the adapter raised them, including time in the queue.
 * Each class spans up to twice the time of the class before. Immutable.
 *
 * @param counts {@value #CLASSES} numbers of faults: below 1 us, below 2 us, and so on; the last class has all longer ones
 */
public record FaultLatencies(List<Long> counts) {
    public static final int CLASSES = 24;

    public FaultLatencies {
        counts = List.copyOf(counts);
        if (counts.size() != CLASSES) {
            throw new IllegalArgumentException(
                    "the latencies have " + counts.size() + " classes; " + CLASSES + " are required");
        }
    }

    /** Returns the class of a latency, from 0. */
    public static int classOf(Duration latency) {
        long micros = latency.toNanos() / 1000;
        return Math.min(Long.SIZE - Long.numberOfLeadingZeros(micros), CLASSES - 1);
    }

    /** Number of faults in all classes. */
    public long faults() {
        return counts.stream().mapToLong(Long::longValue).sum();
    }
}
