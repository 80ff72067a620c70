// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.api.work.Receive;

/**
 * A queue pair of any transport ({@code ibv_qp}).
 *
 * <p>Posting performs the checks of the mlx5 library in the caller's thread and throws {@link
 * org.hcaactors.api.error.VerbsException}: EINVAL in a state that accepts no work; ENOMEM if the queue is full, or the request
 * has too many elements or too much inline data; EOPNOTSUPP for an atomic on an adapter without atomics. Later errors are
 * reported by completions.
 *
 * <p>{@code submit}, if the transport has it, posts a signaled request and returns its completion as a stage. The stage
 * succeeds also for a completion with an error status. It fails only with a VerbsException: at once if {@code post} would
 * throw, or later if the queue pair is reset or destroyed or its completion queue is in error. Cancelling the stage does not
 * cancel the request: the adapter owns the memory until the request completes.
 *
 * <p>Threads: any may post at the same time, and each thread's requests keep their order. Limits: {@link #capacity()}, and the
 * message size of the profile's {@link org.hcaactors.api.capability.PortCapabilities}.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface QueuePair extends QueuePairEndpoint {
    /** Returns the actual sizes, at least those requested. With a shared receive queue the receive sizes are 0. */
    QpCapacity capacity();

    /** Returns the pages of its queues, as {@code MLX_QP_ALLOC_TYPE} selects them; they are held until it is destroyed. */
    PageLayout pages();

    CompletionQueue sendCq();

    CompletionQueue recvCq();

    /** Returns its shared receive queue; empty if it has a receive queue of its own. */
    Optional<SharedReceiveQueue> srq();

    /** Posts a buffer to the receive queue ({@code ibv_post_recv}); EINVAL with a shared receive queue. */
    void postReceive(Receive receive);

    // rule post-list
    /**
     * Posts a list of buffers to the receive queue ({@code ibv_post_recv} of a chain), in order and next to each other. The first
     * one that is refused ends the call; an empty list has no effect.
     *
     * @throws org.hcaactors.api.error.PostRefusedException with the index of the refused buffer: those before it are posted, it
     *     and those behind it are not. Any other exception, such as for null, posts nothing
     */
    void postReceive(List<Receive> receives);

    /**
     * Destroys the queue pair ({@code ibv_destroy_qp}). Outstanding requests are dropped without completions, and its entries
     * are removed from their completion queues.
     */
    @Override
    CompletionStage<Void> destroy();

    /**
     * Flushes outstanding requests and destroys the queue pair. The flush completions are written before the stage completes,
     * and remain.
     */
    @Override
    CompletionStage<Void> closeAsync();
}
