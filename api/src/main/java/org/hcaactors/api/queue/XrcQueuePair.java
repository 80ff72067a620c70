// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.SendFlags;

/**
 * What asks in an extended reliable connection ({@code IBV_QPT_XRC_SEND}): one to a node reaches every process of it, as each
 * request names a shared receive queue there. Every message once and in order, or an error completion. It has no receives:
 * posting one is EINVAL.
 *
 * <p>Threads: any, as of every queue pair. Limits: those of every queue pair, and the READs and atomics of {@link
 * RcConnection#rdAtomic()} outstanding; more wait.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface XrcQueuePair extends QueuePair {
    /**
     * Puts one request on the send queue ({@code ibv_post_send}, {@code ibv_wr_set_xrc_srqn}).
     *
     * @param srqNumber of the shared receive queue that it is for, 24 bits: whose receive a SEND takes, and whose protection
     *     domain has the keys that a READ, a WRITE or an atomic names; of a change of a key, nothing
     */
    void post(int srqNumber, RcWork work);

    /** Posts signaled and gives the completion as a stage. */
    CompletionStage<WorkCompletion> submit(int srqNumber, RcWork work);

    /**
     * As {@link #submit}, with a deadline. Whatever becomes of it, the adapter has let go of the request's buffer when the stage is
     * done. Where the request is not done in time, the queue pair goes to ERR, which flushes all that is posted to it, and the stage fails
     * with a {@link DeadlineExceededException} when this request was flushed; what was done meanwhile succeeds nevertheless.
     *
     * @param atMost from nothing to 24 days, on the clock of the network; IllegalArgumentException for another time, and nothing is posted
     */
    CompletionStage<WorkCompletion> perform(int srqNumber, RcWork work, Duration atMost);

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
     * RESET to RTS in one call, towards an {@link XrcTarget} that its owner connects; EINVAL, and nothing changed, beyond INIT.
     * Where a term is refused, with EINVAL too, the queue pair is in RESET, and can be connected anew.
     *
     * @param peer address of the peer's port
     * @param peerQp the target's number, 24 bits
     * @param attributes as this end has them: of what it answers, nothing counts
     */
    default CompletionStage<Void> connect(Gid peer, int peerQp, RcConnection attributes) {
        return BringUp.of(this, attributes.toInit(), attributes.toRtsAsRequester(peer, peerQp), attributes.toRts());
    }
}
