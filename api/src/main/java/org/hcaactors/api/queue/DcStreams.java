// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import org.hcaactors.api.error.VerbsException;

/**
 * Streams of a DC initiator ({@code mlx5dv_dci_streams}). VerbsException (EINVAL) unless both are 0 to 16. Requests may name
 * any of 2^16 streams; if those are more than the channels, some of them share a channel.
 *
 * <p>Immutable.
 *
 * @param logChannels log2 of the number of concurrent streams ({@code log_num_concurent})
 * @param logErrored log2 of the number of streams in error at which the initiator moves to error ({@code log_num_errored}); 0:
 *     at the first
 */
public record DcStreams(int logChannels, int logErrored) {
    private static final int MAX = 16;

    public DcStreams {
        within("channels", logChannels);
        within("streams in error", logErrored);
    }

    private static void within(String what, int log) {
        if (log < 0 || log > MAX) {
            throw VerbsException.invalid(
                    "the number of " + what + " is 2^" + log + "; 2^0 to 2^" + MAX + " is allowed");
        }
    }

    /** Number of concurrent streams. */
    public int channels() {
        return 1 << logChannels;
    }

    /** Number of streams in error at which the initiator moves to error. */
    public int errored() {
        return 1 << logErrored;
    }
}
