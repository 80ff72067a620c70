// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.hcaactors.api.handle.Handle;

/**
 * Where armed completion queues report that they were written to ({@code ibv_comp_channel}). Several queues may share one.
 *
 * <p>A loop that loses no wake-up: arm; poll until empty; wait for an event; arm <em>again</em>; poll until empty; and so on
 * (ibv_get_cq_event(3)). Whoever polls before arming again loses what comes in between. An event for a queue that turns out
 * to be empty is legal. {@link CompletionQueue#completions()} needs none of this: it never misses an entry.
 *
 * <p>Threads: any; one subscription or {@link #next} at a time polls. Limits: 1024 stages wait for events, then
 * EAGAIN; as many queues report to it as there are.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface CompletionChannel extends Handle {
    /**
     * The queues that were written to, one event each. An event is acknowledged when {@code onNext} has returned. One
     * subscription at a time; cancelling loses nothing: what was not delivered waits for the next one.
     */
    Flow.Publisher<CompletionQueue> wakeups();

    /**
     * The next event ({@code ibv_get_cq_event}), acknowledged when the actions that hang on the stage have run; EBUSY while
     * a subscription polls.
     */
    CompletionStage<CompletionQueue> next();

    /** Destroys the channel; EBUSY while completion queues report to it. */
    CompletionStage<Void> destroy();
}
