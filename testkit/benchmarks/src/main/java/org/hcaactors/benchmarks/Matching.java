// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.network.RdmaNetwork;

/**
 * The receiver of a {@link TagLoop}. Receives wait there in one list: some for other tags, and behind them {@link #WINDOW} for
 * {@link #TAG}, of which that is put to the end again which a message took.
 */
interface Matching {
    /** Messages under way. */
    int WINDOW = 16;

    /** Of data in a message. */
    int BYTES = 64;

    long TAG = 1;

    /** Makes one. */
    @FunctionalInterface
    interface Maker {
        /**
         * @param memory with every right, of {@link #MEMORY} bytes at least
         * @param others receives that wait for other tags
         */
        Matching make(RdmaNetwork network, Side memory, int others);
    }

    int MEMORY = 4096;

    /** Where messages come. */
    SharedReceiveQueue queue();

    /** Where the queue pair's receives complete, if not by their queue. */
    CompletionQueue completions();

    /** One of these has come: true if it was a message's, and a receive waits again in place of its own. */
    boolean ended(WorkCompletion completion);
}
