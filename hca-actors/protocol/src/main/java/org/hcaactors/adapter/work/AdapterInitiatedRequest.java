// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.api.completion.Status;

/**
 * A request that the adapter itself sends to a peer. It is queued among the program's requests, but uses none of their slots
 * and reports its end here.
 *
 * @param memory access to the local memory that its responses are written to
 */
public record AdapterInitiatedRequest(LocalMemory memory, Ending ending) {
    /** Callback for the end of a request. */
    public interface Ending {
        /** The request succeeded, failed, or was flushed or dropped with others (WR_FLUSH_ERR). */
        void ended(Status status, Turn turn);
    }

    void ended(Status status, Turn turn) {
        ending.ended(status, turn);
    }
}
