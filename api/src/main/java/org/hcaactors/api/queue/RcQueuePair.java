package org.hcaactors.api.queue;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.RcWork;

/**
 * A reliable connected queue pair: every message once and in order, or an error completion.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface RcQueuePair extends QueuePair {
    /** Puts one request on the send queue ({@code ibv_post_send}). */
    void post(RcWork work);

    /** Posts signaled and gives the completion as a stage. */
    CompletionStage<WorkCompletion> submit(RcWork work);
}
