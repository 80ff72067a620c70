// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.queue;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.work.UcWork;

/** The caller's side of an unreliable connected queue pair. */
record UcHandle(WorkQueues queues) implements UcQueuePair, QueuePairHandle {
    @Override
    public void post(UcWork work) {
        queues.post(work, null);
    }

    @Override
    public CompletionStage<WorkCompletion> submit(UcWork work) {
        return queues.submit(work, null);
    }

    @Override
    public String toString() {
        return queues.toString();
    }
}
