// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.api.work.Receive;

/**
 * What every queue pair offers, whatever its transport ({@code ibv_qp}).
 *
 * <p>Posting checks in the caller's thread what the mlx5 library checks there and throws
 * {@link org.hcaactors.api.error.VerbsException}: EINVAL in a state that takes no work, ENOMEM when the queue is full, has
 * too many elements or too much inline data, EOPNOTSUPP for an atomic on an adapter without. Everything later is a
 * completion.
 *
 * <p>{@code submit}, where a transport offers it, posts signaled and gives the completion as a stage. The stage completes
 * with an error status as with a success; it fails only with a VerbsException: at once where {@code post} would throw,
 * later when the queue pair is reset or destroyed or its completion queue is in error. Cancelling it un-posts nothing: the
 * memory belongs to the adapter until the request completes.
 *
 * <p>Threads: any may post at the same time, and each thread's requests keep their order. Limits: {@link
 * #capacity()}, and the message size of the profile's {@link org.hcaactors.api.capability.PortCapabilities}.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface QueuePair extends QueuePairEndpoint {
    /** As created: at least what was asked for. With a shared receive queue the receive sizes are 0. */
    QpCapacity capacity();

    /** The pages that its queues stand on, as {@code MLX_QP_ALLOC_TYPE} has it; all of them until it is destroyed. */
    PageLayout pages();

    CompletionQueue sendCq();

    CompletionQueue recvCq();

    /** Where its receives come from, if not from a queue of its own. */
    Optional<SharedReceiveQueue> srq();

    /** Puts a buffer on the receive queue ({@code ibv_post_recv}); EINVAL with a shared receive queue. */
    void postReceive(Receive receive);

    /**
     * Destroys the queue pair ({@code ibv_destroy_qp}); what was outstanding is dropped without completions, and its entries
     * leave their completion queues.
     */
    @Override
    CompletionStage<Void> destroy();

    /** Flushes what is outstanding, whose completions are written before the stage completes and stay, and destroys it. */
    @Override
    CompletionStage<Void> closeAsync();
}
