// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.queue.ConnectedQueuePair;
import org.hcaactors.api.work.SendFlags;
import org.hcaactors.api.work.WorkRequest;

/** Common part of the handles of queue pairs with one peer. */
interface ConnectedHandle<W extends WorkRequest, C> extends ConnectedQueuePair<W, C>, QueuePairHandle {
    @Override
    default void post(W work) {
        queues().post(work, null);
    }

    @Override
    default void post(List<? extends W> works) {
        queues().postList(works, each -> each, each -> null);
    }

    @Override
    default void postWhole(List<? extends W> works) {
        queues().postWhole(works, each -> each, each -> null);
    }

    @Override
    default CompletionStage<WorkCompletion> submit(W work) {
        return queues().submit(work, null);
    }

    @Override
    default CompletionStage<WorkCompletion> submit(W work, Duration timeout) {
        return queues().perform(() -> submit(work), timeout);
    }

    @Override
    default void bind(long id, MemoryWindow window, WindowBinding binding, SendFlags flags) {
        queues().bind(id, window, binding, flags);
    }

    @Override
    default CompletionStage<WorkCompletion> submitBind(long id, MemoryWindow window, WindowBinding binding) {
        return queues().submitBind(id, window, binding);
    }
}
