// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

import java.time.Duration;
import java.util.List;

// rule paging-histogram
/**
 * How long page faults took that could be tried again, from when the adapter raised them, those that waited in line included; in
 * classes, each up to twice as long as the one before it. Immutable.
 *
 * @param counts of faults, {@value #CLASSES} of them: the first of those below 1 us, the next of those below 2 us, and so on; the
 *     last of all that took longer
 */
public record FaultLatencies(List<Long> counts) {
    public static final int CLASSES = 24;

    public FaultLatencies {
        counts = List.copyOf(counts);
        if (counts.size() != CLASSES) {
            throw new IllegalArgumentException(counts.size() + " classes of latencies; there are " + CLASSES);
        }
    }

    /** Which class that belongs to, from 0. */
    public static int classOf(Duration latency) {
        long micros = latency.toNanos() / 1000;
        return Math.min(Long.SIZE - Long.numberOfLeadingZeros(micros), CLASSES - 1);
    }

    /** Of all classes together. */
    public long faults() {
        return counts.stream().mapToLong(Long::longValue).sum();
    }
}
