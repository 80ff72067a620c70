// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.SendFlags;
import org.hcaactors.api.work.WorkRequest;

/**
 * A queue pair with one peer: common part of {@link RcQueuePair} and {@link UcQueuePair}.
 *
 * <p>Threads: any. Limits: those of every queue pair.
 *
 * @param <W> requests that it accepts
 * @param <C> attributes of its connection
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface ConnectedQueuePair<W extends WorkRequest, C> extends QueuePair {
    /** Posts one request to the send queue ({@code ibv_post_send}). */
    void post(W work);

    // rule post-list
    /**
     * Posts a list of requests to the send queue ({@code ibv_post_send} of a chain): in order, next to each other, with one
     * doorbell. The first request that is refused ends the call; an empty list has no effect.
     *
     * @throws org.hcaactors.api.error.PostRefusedException with the index of the refused request: those before it are posted, it
     *     and those behind it are not. Any other exception, such as for null, posts nothing
     */
    void post(List<? extends W> works);

    // rule post-list
    /**
     * Posts a list of requests whole or not at all ({@code ibv_wr_complete}): where one is refused, or not each has a free slot,
     * nothing is posted. Otherwise the same as {@link #post(List)}.
     *
     * @throws org.hcaactors.api.error.VerbsException the refusal of the first request that is refused
     */
    void postWhole(List<? extends W> works);

    /** Posts a signaled request and returns its completion as a stage. */
    CompletionStage<WorkCompletion> submit(W work);

    /**
     * Same as {@link #submit(WorkRequest)}, with a deadline. In every case the adapter has released the request's buffer when
     * the stage completes. If the request is not complete in time, the queue pair moves to ERR, which flushes all its posted
     * requests. If this request was flushed, the stage fails with a {@link DeadlineExceededException}; if it completed
     * meanwhile, the stage succeeds. The peer is not notified: over RC its next request gets no answer.
     *
     * @param timeout 0 to 24 days, on the clock of the network; IllegalArgumentException for another time, and nothing is posted
     */
    CompletionStage<WorkCompletion> submit(W work, Duration timeout);

    /**
     * Binds a window of type 1 ({@code ibv_bind_mw}); the window has its new key when this method returns. VerbsException, with
     * nothing posted: EINVAL for a window of type 2, which {@link BindWindow} binds; otherwise as {@code post} of a {@link
     * BindWindow}.
     *
     * @param id the caller's identifier, returned in the completion
     */
    void bind(long id, MemoryWindow window, WindowBinding binding, SendFlags flags);

    /** Binds a window with a signaled request and returns its completion as a stage. */
    CompletionStage<WorkCompletion> submitBind(long id, MemoryWindow window, WindowBinding binding);

    /**
     * Moves it from RESET to RTS in one call; the peer's owner must connect the peer as well. EINVAL, and nothing changes, if
     * it is in a state after INIT. If an attribute is refused, also with EINVAL, it is in RESET and can be connected again.
     *
     * @param peer GID of the peer's port
     * @param peerQp the peer's number, 24 bits
     * @param attributes of this end; the peer has them reversed ({@link RcConnection#reversed}, {@link UcConnection#reversed})
     */
    CompletionStage<Void> connect(Gid peer, int peerQp, C attributes);
}
