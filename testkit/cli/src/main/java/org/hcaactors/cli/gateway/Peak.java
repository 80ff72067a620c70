// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.util.Arrays;

/**
 * Peak rate of a run as perftest defines it: over consecutive messages, from the posting of the first to the completion of the
 * last. So a burst of completions alone gives no rate, and a single message counts with its whole time. The sequences begin and
 * end at tenths of the run.
 */
public final class Peak {
    private static final int PARTS = 10;

    private final long part;
    private final long[] posted = new long[PARTS];
    private double best;

    /**
     * @param count number of messages of the run
     * @param start when the run began, which is the time of the messages posted at once
     */
    public Peak(long count, long start) {
        part = count / PARTS;
        Arrays.fill(posted, start);
    }

    /**
     * True if {@link #posted} must be called for the message of that index, from 0; {@link #ends} says so for
     * {@link #completed}.
     */
    public boolean begins(long number) {
        return part > 0 && number % part == 0 && number / part < PARTS;
    }

    public boolean ends(long number) {
        return part > 0 && (number + 1) % part == 0 && number / part < PARTS;
    }

    public void posted(long number, long nanos) {
        posted[(int) (number / part)] = nanos;
    }

    public void completed(long number, long nanos) {
        int last = (int) (number / part);
        for (int first = 0; first <= last; first++) {
            long messages = (last - first + 1) * part;
            best = Math.max(best, messages / (double) Math.max(1, nanos - posted[first]));
        }
    }

    /** Returns messages per nanosecond; 0 if the run was too short to be divided. */
    public double rate() {
        return best;
    }
}
