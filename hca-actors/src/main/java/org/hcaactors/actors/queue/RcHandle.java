// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.SendFlags;

/** Handle of an RC queue pair. */
record RcHandle(WorkQueues queues) implements RcQueuePair, QueuePairHandle {
    @Override
    public void post(RcWork work) {
        queues.post(work, null);
    }

    @Override
    public CompletionStage<WorkCompletion> submit(RcWork work) {
        return queues.submit(work, null);
    }

    @Override
    public CompletionStage<WorkCompletion> submit(RcWork work, Duration atMost) {
        return queues.perform(() -> submit(work), atMost);
    }

    @Override
    public void bind(long id, MemoryWindow window, WindowBinding binding, SendFlags flags) {
        queues.bind(id, window, binding, flags);
    }

    @Override
    public CompletionStage<WorkCompletion> submitBind(long id, MemoryWindow window, WindowBinding binding) {
        return queues.submitBind(id, window, binding);
    }

    @Override
    public String toString() {
        return queues.toString();
    }
}
