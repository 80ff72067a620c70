// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import org.hcaactors.adapter.work.PacketBatch;
import org.hcaactors.adapter.work.Target;
import org.hcaactors.adapter.work.Turn;

/**
 * A run of requests: each is like the one before it, which was let in, executed, and left nothing to settle. What the filter said
 * of the first holds for all, so they go to the target in one tight loop. The first that leaves more to do than that ends it.
 */
final class RequestBatch {
    private RequestBatch() {}

    /**
     * Takes the requests that go on behind the packet that was taken last, which was let in. True if any did: then the queue pair is
     * to be settled. Behind an answer none does, whose numbers are its own.
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
