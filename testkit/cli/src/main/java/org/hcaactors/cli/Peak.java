// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.util.Arrays;

/**
 * The best rate of a run, as perftest defines it: of messages in a row, from the posting of the first to the completion of the last.
 * So a burst of completions is no rate, and one message alone counts with all the time that it took. Rows begin and end at the
 * tenths of a run.
 */
final class Peak {
    private static final int PARTS = 10;

    private final long part;
    private final long[] posted = new long[PARTS];
    private double best;

    /**
     * @param count messages of the run
     * @param start when it began; those that are posted at once count from here
     */
    Peak(long count, long start) {
        part = count / PARTS;
        Arrays.fill(posted, start);
    }

    /** Whether {@link #posted} and {@link #completed} want to know of the message with that number, from 0. */
    boolean begins(long number) {
        return part > 0 && number % part == 0 && number / part < PARTS;
    }

    boolean ends(long number) {
        return part > 0 && (number + 1) % part == 0 && number / part < PARTS;
    }

    void posted(long number, long nanos) {
        posted[(int) (number / part)] = nanos;
    }

    void completed(long number, long nanos) {
        int last = (int) (number / part);
        for (int first = 0; first <= last; first++) {
            long messages = (last - first + 1) * part;
            best = Math.max(best, messages / (double) Math.max(1, nanos - posted[first]));
        }
    }

    /** Messages a nanosecond; 0 of a run that is too short to have parts. */
    double rate() {
        return best;
    }
}
