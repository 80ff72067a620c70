// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.work.Destination;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.queue.XrcQueuePair;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.SendFlags;

/** Handle of an XRC initiator. */
record XrcHandle(WorkQueues queues) implements XrcQueuePair, QueuePairHandle {
    private static final int MAX = 0xFF_FFFF;

    @Override
    public void post(int srqNumber, RcWork work) {
        queues.post(work, () -> named(srqNumber));
    }

    @Override
    public CompletionStage<WorkCompletion> submit(int srqNumber, RcWork work) {
        return queues.submit(work, () -> named(srqNumber));
    }

    @Override
    public CompletionStage<WorkCompletion> submit(int srqNumber, RcWork work, Duration timeout) {
        return queues.perform(() -> submit(srqNumber, work), timeout);
    }

    // rule xrc-named
    private static Destination named(int srqNumber) {
        if (srqNumber < 0 || srqNumber > MAX) {
            throw VerbsException.invalid(
                    "the number of the shared receive queue is " + srqNumber + "; 0 to 0xffffff is allowed");
        }
        return Destination.Named.sharedReceives(srqNumber);
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
