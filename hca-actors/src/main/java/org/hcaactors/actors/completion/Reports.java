// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.completion;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.actors.event.CompletionChannelHandle;
import org.hcaactors.actors.notify.WaiterHandle;
import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.completion.CqTrace;
import org.hcaactors.adapter.service.DeviceHealth;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.error.VerbsException;

/**
 * Targets of a completion queue's notifications when it is armed.
 *
 * @param channel completion channel of the description
 * @param waiter thread that it wakes instead, if there is one
 */
record Reports(Optional<CompletionChannelHandle> channel, Optional<WaiterHandle> waiter) {
    /**
     * Attaches to channel and thread; neither can be destroyed before the queue.
     *
     * @throws VerbsException EINVAL if one is closed
     */
    void attach(int queue, DeviceHealth health) {
        channel.ifPresent(CompletionChannelHandle::attach);
        try {
            waiter.ifPresent(thread -> thread.named(queue, health));
        } catch (VerbsException closed) {
            channel.ifPresent(CompletionChannelHandle::detach);
            throw closed;
        }
    }

    // rule notify-wakes
    void wake(CompletionQueue queue, CqTrace trace, Services services) {
        if (waiter.isPresent()) {
            trace.notifies(waiter.get().number());
            waiter.get().notify(queue, channel, services);
        } else {
            trace.woken();
            channel.ifPresent(each -> each.wake(queue));
        }
    }

    void failed(int queue, VerbsException reason) {
        waiter.ifPresent(thread -> thread.queueFailed(queue, reason));
    }

    /**
     * Called when the queue is destroyed. Completes when none of its notifications is in flight or unacknowledged; those that
     * the thread forwarded to the channel first.
     */
    CompletionStage<Void> settle(CompletionQueue queue) {
        CompletionStage<Void> silent = waiter.map(thread -> thread.queueDestroyed(queue.number()))
                .orElseGet(() -> CompletableFuture.completedStage(null))
                .exceptionally(failure -> null);
        return channel.map(each -> silent.thenCompose(done -> each.settle(queue))
                        .whenComplete((settled, failure) -> each.detach()))
                .orElse(silent);
    }
}
