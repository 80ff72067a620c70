// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RcWork;

/** Handle of an RC queue pair. */
record RcHandle(WorkQueues queues) implements RcQueuePair, ConnectedHandle<RcWork, RcConnection> {
    @Override
    public String toString() {
        return queues.toString();
    }
}
