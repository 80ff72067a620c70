package org.hcaactors.api.completion;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/**
 * A bounded ring of completions ({@code ibv_cq}). Demand is polling: {@code request(n)} takes up to n entries out, never
 * more. A subscriber that stops asking lets the ring fill, and a full ring is what it is on hardware: the queue is in
 * error, CQ_ERR is raised, and its queue pairs go to ERR with QP_FATAL.
 *
 * <p>One subscription polls at a time; a second is refused with EBUSY through {@code onError}. Cancelling stops polling
 * and loses nothing. When the queue is in error or destroyed, {@code onError} or {@code onComplete} follows.
 */
public interface CompletionQueue {
    int number();

    /** Entries the ring holds: the next power of two above what was asked for, less one, as mlx5 gives. */
    int capacity();

    /** Completions delivered on the caller's executor; the subscriber may block without stalling the adapter. */
    Flow.Publisher<WorkCompletion> completions();

    /**
     * Completions delivered on the adapter's own thread, about twice as fast. The caller promises that neither the
     * subscriber nor anything it calls ever blocks: a blocked subscriber here stalls the adapter.
     */
    Flow.Publisher<WorkCompletion> completionsOnShard();

    /** Destroys the queue ({@code ibv_destroy_cq}); EBUSY while a queue pair uses it. */
    CompletionStage<Void> destroy();
}
