// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import org.hcaactors.adapter.work.PacketBatch;
import org.hcaactors.adapter.work.Target;
import org.hcaactors.adapter.work.Turn;

/**
 * Fast path for consecutive similar requests. Each is like the one before it, which passed the filter, was executed, and left
 * nothing to settle. The filter's result for the first holds for all, so they are handed to the target in one loop. The first
 * request that leaves more work ends the loop.
 */
final class RequestBatch {
    private RequestBatch() {}

    /**
     * Handles the requests that continue the packet that was taken last, which passed the filter. Returns true if there were
     * any: then the queue pair must be settled. Does nothing after a response, whose PSNs are unrelated.
     */
    static boolean follows(PacketBatch batch, Target target, Turn turn) {
        if (batch.last().operation().isResponse()) {
            return false;
        }
        boolean any = false;
        while (batch.continuesAlike() && target.isDoneWith(batch.last())) {
            target.request(batch.take(turn), turn);
            any = true;
        }
        return any;
    }
}
