// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.util.Arrays;

/** Figures that the client of a perftest measured. */
public sealed interface PerftestFigures {
    /** Returns the number of messages. */
    long messages();

    /**
     * Rate of a bandwidth test.
     *
     * <p>Immutable.
     *
     * @param nanos from the first post to the last completion, at least 1
     * @param peak the largest rate, in messages per nanosecond; 0 if there were too few
     */
    record Rate(long messages, long nanos, double peak) implements PerftestFigures {
        /** Returns messages per nanosecond. */
        public double average() {
            return messages / (double) nanos;
        }
    }

    /** Times of a latency test. As perftest counts it, the time of a message is half of that to its answer. */
    final class Times implements PerftestFigures {
        private final long[] nanos;

        Times(long[] nanos) {
            this.nanos = nanos.clone();
            Arrays.sort(this.nanos);
        }

        /** Returns the nanoseconds of each message, the shortest first. */
        public long[] sorted() {
            return nanos.clone();
        }

        @Override
        public long messages() {
            return nanos.length;
        }
    }
}
