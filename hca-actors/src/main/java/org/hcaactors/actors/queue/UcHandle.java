// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import org.hcaactors.api.queue.UcConnection;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.work.UcWork;

/** Handle of a UC queue pair. */
record UcHandle(WorkQueues queues) implements UcQueuePair, ConnectedHandle<UcWork, UcConnection> {
    @Override
    public String toString() {
        return queues.toString();
    }
}
