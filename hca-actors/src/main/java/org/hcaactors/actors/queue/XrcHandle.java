// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.work.Destination;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.queue.XrcQueuePair;
import org.hcaactors.api.queue.XrcRequest;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.SendFlags;
import org.jspecify.annotations.Nullable;

/** Handle of an XRC initiator. */
final class XrcHandle implements XrcQueuePair, QueuePairHandle {
    private static final int MAX = 0xFF_FFFF;

    private record Known(int srqNumber, Destination destination) {}

    private final WorkQueues queues;

    /** The destination of a recent request, since most requests name the same queue. */
    private @Nullable Known recent;

    XrcHandle(WorkQueues queues) {
        this.queues = queues;
    }

    @Override
    public WorkQueues queues() {
        return queues;
    }

    @Override
    public void post(int srqNumber, RcWork work) {
        queues.post(work, () -> named(srqNumber));
    }

    @Override
    public void post(List<XrcRequest> requests) {
        queues.postList(requests, XrcRequest::work, each -> () -> named(each.srqNumber()));
    }

    @Override
    public void postWhole(List<XrcRequest> requests) {
        queues.postWhole(requests, XrcRequest::work, each -> () -> named(each.srqNumber()));
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
    private Destination named(int srqNumber) {
        Known known = recent;
        if (known != null && known.srqNumber == srqNumber) {
            return known.destination;
        }
        if (srqNumber < 0 || srqNumber > MAX) {
            throw VerbsException.invalid(
                    "the number of the shared receive queue is " + srqNumber + "; 0 to 0xffffff is allowed");
        }
        Destination destination = Destination.Named.sharedReceives(srqNumber);
        recent = new Known(srqNumber, destination);
        return destination;
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
