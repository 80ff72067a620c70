// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import org.hcaactors.adapter.work.Target;
import org.hcaactors.adapter.work.Train;
import org.hcaactors.adapter.work.Turn;

/**
 * A run of requests: each is like the one before it, which was let in, executed, and left nothing to settle. What the filter said
 * of the first holds for all, so they go to the target in one tight loop. The first that leaves more to do than that ends it.
 */
final class Run {
    private Run() {}

    /** Takes what goes on behind the packet that was taken last. True if anything did: then the queue pair is to be settled. */
    static boolean follows(Train train, Target target, Turn turn) {
        boolean any = false;
        while (train.goesOnAlike() && target.isDoneWith(train.last())) {
            target.request(train.take(turn), turn);
            any = true;
        }
        return any;
    }
}
