// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.SendFlags;
import org.hcaactors.api.work.UcWork;

/**
 * An unreliable connected queue pair: nothing is acknowledged, a message of which a packet is lost disappears as a whole,
 * and a request completes when its last packet has been handed to the wire (IBA 9.8).
 *
 * <p>Threads: any, as of every queue pair. Limits: those of every queue pair.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface UcQueuePair extends QueuePair {
    /** Puts one request on the send queue ({@code ibv_post_send}). */
    void post(UcWork work);

    /** Posts signaled and gives the completion as a stage. */
    CompletionStage<WorkCompletion> submit(UcWork work);

    /**
     * As {@link #submit}, with a deadline. Whatever becomes of it, the adapter has let go of the request's buffer when the stage is
     * done. Where the request is not done in time, the queue pair goes to ERR, which flushes all that is posted to it, and the stage fails
     * with a {@link DeadlineExceededException} when this request was flushed; what was done meanwhile succeeds nevertheless.
     *
     * @param atMost from nothing to 24 days, on the clock of the network; IllegalArgumentException for another time, and nothing is posted
     */
    CompletionStage<WorkCompletion> perform(UcWork work, Duration atMost);

    /**
     * Binds a window of type 1 ({@code ibv_bind_mw}), which has its new key at once. VerbsException, before anything is
     * posted: EINVAL for a window of type 2, which a {@link BindWindow} binds, and as {@code post} throws for a {@link
     * BindWindow}.
     *
     * @param id the caller's own number, given back in the completion
     */
    void bind(long id, MemoryWindow window, WindowBinding binding, SendFlags flags);

    /** Binds one signaled and gives the completion as a stage. */
    CompletionStage<WorkCompletion> submitBind(long id, MemoryWindow window, WindowBinding binding);

    /**
     * RESET to RTS in one call, towards a peer that its owner connects; EINVAL, and nothing changed, beyond INIT. Where a term
     * is refused, with EINVAL too, the queue pair is in RESET, and can be connected anew.
     *
     * @param peer address of the peer's port
     * @param peerQp the peer's number, 24 bits
     * @param attributes as this end has them; the peer has them {@linkplain UcConnection#reversed reversed}
     */
    default CompletionStage<Void> connect(Gid peer, int peerQp, UcConnection attributes) {
        return BringUp.of(
                this, attributes.toInit(), attributes.toRtr(peer, peerQp), attributes.toRts());
    }
}
