// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.network.RdmaNetwork;

/**
 * The receiver of a {@link TagLoop}. Its receives wait in one list: some for other tags, followed by {@link #WINDOW} for {@link
 * #TAG}; a receive that a message took is appended to the end again.
 */
interface Matching {
    /** Messages in progress. */
    int WINDOW = 16;

    /** Bytes of data per message. */
    int BYTES = 64;

    long TAG = 1;

    /** Creates a receiver. */
    @FunctionalInterface
    interface Maker {
        /**
         * Creates a receiver.
         *
         * @param memory memory with every access right, at least {@link #MEMORY} bytes
         * @param others number of receives that wait for other tags
         */
        Matching make(RdmaNetwork network, Side memory, int others);
    }

    int MEMORY = 4096;

    /** Returns the queue that messages arrive at. */
    SharedReceiveQueue queue();

    /** Returns the completion queue of the queue pair's receives, unless their own queue has one. */
    CompletionQueue completions();

    /** Handles a completion: true if it is a message's and its receive was posted again. */
    boolean ended(WorkCompletion completion);
}
