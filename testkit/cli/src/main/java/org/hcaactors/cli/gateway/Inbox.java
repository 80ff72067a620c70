// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.stream.Subscribers;

/** The completions of a queue in their order, for one thread that waits for them. */
final class Inbox {
    private final CompletionQueue queue;
    private final BlockingQueue<WorkCompletion> arrived = new LinkedBlockingQueue<>();

    Inbox(CompletionQueue queue) {
        this.queue = queue;
        queue.completions().subscribe(Subscribers.forEach(arrived::add));
    }

    CompletionQueue queue() {
        return queue;
    }

    /** Returns the next completion; empty if none came in that time. */
    Optional<WorkCompletion> next(Duration atMost) throws InterruptedException {
        return Optional.ofNullable(arrived.poll(atMost.toNanos(), TimeUnit.NANOSECONDS));
    }
}
