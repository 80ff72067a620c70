// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import org.hcaactors.api.error.VerbsException;

/**
 * Streams of a dynamically connected initiator ({@code mlx5dv_dci_streams}). VerbsException (EINVAL) unless both are 0 to 16. Requests
 * may name any of 2^16; where these are more than run beside each other, some of them share a channel.
 *
 * <p>Immutable.
 *
 * @param logChannels log2 of the streams that run beside each other ({@code log_num_concurent})
 * @param logErrored log2 of the streams with whose error the initiator is in error, too ({@code log_num_errored}); with 0 it is with
 *     the first
 */
public record DcStreams(int logChannels, int logErrored) {
    private static final int MAX = 16;

    public DcStreams {
        within("channels", logChannels);
        within("streams in error", logErrored);
    }

    private static void within(String what, int log) {
        if (log < 0 || log > MAX) {
            throw VerbsException.invalid("2^" + log + " " + what + "; 2^0 to 2^" + MAX + " are allowed");
        }
    }

    /** Streams that run beside each other. */
    public int channels() {
        return 1 << logChannels;
    }

    /** Streams in error, with the last of which the initiator is in error, too. */
    public int errored() {
        return 1 << logErrored;
    }
}
