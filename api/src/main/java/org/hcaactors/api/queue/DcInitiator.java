// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.RcWork;

/**
 * What asks over the dynamically connected transport (a DCI, {@code MLX5DV_DCTYPE_DCI}): each request names its target, and the
 * adapter connects, stays connected while requests go there, and disconnects when they go elsewhere or nowhere. Every message
 * once, or an error completion; in order among those to one target. A request to another target starts when all before it are
 * acknowledged. It has no receives: posting one is EINVAL.
 *
 * <p>It is created in RESET, by {@link org.hcaactors.api.device.ProtectionDomain#dc}, and {@link #open open(terms)} brings it up, to RTS:
 * it posts only then, and it is connected to nobody yet. The first message leaves with the CONNECT (the half handshake), so a change
 * of target costs one round trip, for taking leave of the one before. A process needs as many of them as it wants to ask targets at
 * the same time, however many there are; {@code DciPool} of the artifact {@code hca-client} shares some among many.
 *
 * <p>An error ends it for every target: what is outstanding is flushed, and RESET to RTS brings it back. On {@linkplain DcStreams
 * streams} an error ends the stream of that request alone, as long as fewer are in error than {@link DcStreams#errored}; {@link
 * #query} tells whether it is still in RTS.
 *
 * <p>Threads: any, as of every queue pair. Limits: those of every queue pair, and the READs and atomics of {@link
 * RcConnection#rdAtomic()} outstanding; more wait.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface DcInitiator extends QueuePair {
    /** The streams that it was made with, if any. */
    Optional<DcStreams> streams();

    /**
     * Puts one request on the send queue ({@code ibv_post_send}, {@code mlx5dv_wr_set_dc_addr}); EINVAL with an address handle
     * that was destroyed. Of a change of a key, the target counts for nothing. On stream 0, where it has streams.
     */
    default void post(DcAddress to, RcWork work) {
        post(to, 0, work);
    }

    /** Posts signaled and gives the completion as a stage. */
    default CompletionStage<WorkCompletion> submit(DcAddress to, RcWork work) {
        return submit(to, 0, work);
    }

    /** As {@link #perform(DcAddress, int, RcWork, Duration)}, on stream 0. */
    default CompletionStage<WorkCompletion> perform(DcAddress to, RcWork work, Duration atMost) {
        return perform(to, 0, work, atMost);
    }

    /**
     * The same on one of its streams ({@code mlx5dv_wr_set_dc_addr_stream}): requests of one stream stay in order; those of
     * others may run beside them, to other targets.
     *
     * @param stream 16 bits; more than there are channels share them. EINVAL for another one than 0 where it has no streams
     */
    void post(DcAddress to, int stream, RcWork work);

    /** Posts signaled on a stream and gives the completion as a stage. */
    CompletionStage<WorkCompletion> submit(DcAddress to, int stream, RcWork work);

    /**
     * As {@link #submit(DcAddress, int, RcWork)}, with a deadline. Whatever becomes of it, the adapter has let go of the request's buffer when the stage is
     * done. Where the request is not done in time, the queue pair goes to ERR, which flushes all that is posted to it, and the stage fails
     * with a {@link DeadlineExceededException} when this request was flushed; what was done meanwhile succeeds nevertheless. So
     * are the requests to all other targets.
     *
     * @param atMost from nothing to 24 days, on the clock of the network; IllegalArgumentException for another time, and nothing is posted
     */
    CompletionStage<WorkCompletion> perform(DcAddress to, int stream, RcWork work, Duration atMost);

    /**
     * A stream that is in error takes requests again ({@code mlx5dv_dci_stream_id_reset}), once all that were on it have been flushed;
     * without effect on another one. EINVAL where it has no streams, or for more than 16 bits.
     */
    CompletionStage<Void> resetStream(int stream);

    /**
     * RESET to RTS in one call; EINVAL, and nothing changed, beyond INIT. Where a term is refused, with EINVAL too, it is in
     * RESET, and can be opened anew.
     *
     * @param attributes as this end has them: of what a peer may do, nothing counts. The RNR timer is how long it waits itself where a
     *     target has no responder for it and tells it to come again
     */
    default CompletionStage<Void> open(RcConnection attributes) {
        QpModify toInit = QpModify.to(QpState.INIT, new QpAttribute.PkeyIndex(0), new QpAttribute.Port(1));
        QpModify toRtr = QpModify.to(QpState.RTR, new QpAttribute.Mtu(attributes.mtu()));
        return BringUp.of(this, toInit, toRtr, attributes.toReadyToConnect());
    }
}
