// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;

/**
 * Counts messages with a well-known mistake of RDMA programs: it polls until the queue is empty, and arms the queue only then.
 * A completion that arrives in between is never reported.
 */
final class HastyInbox implements Inbox {
    private final CompletionQueue queue;
    private final CompletionChannel channel;
    private final Runnable answer;
    private int seen;

    HastyInbox(CompletionQueue queue, CompletionChannel channel, Runnable answer) {
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
        channel.next().thenCompose(woken -> drain()).thenRun(() -> {
            queue.arm(CompletionQueue.Arm.ANY); // too late for completions after the last poll
            listen();
        });
    }

    private CompletionStage<Void> drain() {
        return queue.poll(16).thenCompose(polled -> {
            seen += polled.size();
            polled.forEach(message -> answer.run());
            return polled.isEmpty() ? CompletableFuture.completedStage(null) : drain();
        });
    }
}
