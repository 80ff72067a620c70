// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.api.completion.Status;

/**
 * What an adapter asks a peer for by itself: its requests stand among the program's, hold no place of theirs, and end here.
 *
 * @param memory the way to what its responses are written to
 */
public record AdapterRequest(LocalMemory memory, Ending ending) {
    /** What is done when a request of it is. */
    public interface Ending {
        /** It is done, failed, or was flushed or dropped with others (WR_FLUSH_ERR). */
        void ended(Status status, Turn turn);
    }

    void ended(Status status, Turn turn) {
        ending.ended(status, turn);
    }
}
