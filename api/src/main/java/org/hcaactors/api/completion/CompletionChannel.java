// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.hcaactors.api.handle.Handle;

/**
 * A completion channel ({@code ibv_comp_channel}): armed completion queues report to it. Several queues may share one.
 *
 * <p>A loop that misses no event: arm; poll until empty; wait for an event; arm <em>again</em>; poll until empty; and so on
 * (ibv_get_cq_event(3)). Polling before arming again misses entries that are written in between. An event for an empty queue is
 * legal. {@link CompletionQueue#completions()} needs no such loop: it never misses an entry.
 *
 * <p>Threads: any; one subscription or {@link #next} at a time polls. Limits: 1024 stages wait for events, then EAGAIN; any
 * number of queues can report to it.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface CompletionChannel extends Handle {
    /**
     * Publishes the queues that report, one element per event. An event is acknowledged when {@code onNext} has returned. One
     * subscription at a time; cancelling loses nothing: undelivered events wait for the next subscription.
     */
    Flow.Publisher<CompletionQueue> wakeups();

    /**
     * Returns the next event ({@code ibv_get_cq_event}), which is acknowledged when the stage's dependent actions have run;
     * EBUSY while a subscription polls.
     */
    CompletionStage<CompletionQueue> next();

    /** Destroys the channel ({@code ibv_destroy_comp_channel}); EBUSY while a completion queue uses it. */
    CompletionStage<Void> destroy();
}
