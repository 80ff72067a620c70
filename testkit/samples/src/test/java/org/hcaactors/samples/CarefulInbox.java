// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;

/** Arms before it polls: a completion after the last poll finds the queue armed (ibv_req_notify_cq(3)). */
final class CarefulInbox implements Inbox {
    private final CompletionQueue queue;
    private final CompletionChannel channel;
    private final Runnable answer;
    private int seen;

    CarefulInbox(CompletionQueue queue, CompletionChannel channel, Runnable answer) {
        this.queue = queue;
        this.channel = channel;
        this.answer = answer;
    }

    @Override
    public void open() {
        queue.arm(CompletionQueue.Arm.ANY);
        listen();
    }

    @Override
    public int seen() {
        return seen;
    }

    private void listen() {
        channel.next()
                .thenCompose(woken -> {
                    queue.arm(CompletionQueue.Arm.ANY);
                    return drain();
                })
                .thenRun(this::listen);
    }

    private CompletionStage<Void> drain() {
        return queue.poll(16).thenCompose(polled -> {
            seen += polled.size();
            polled.forEach(message -> answer.run());
            return polled.isEmpty() ? CompletableFuture.completedStage(null) : drain();
        });
    }
}
