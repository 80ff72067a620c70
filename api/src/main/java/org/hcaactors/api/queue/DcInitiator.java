// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.RcWork;

/**
 * DC initiator (a DCI, {@code MLX5DV_DCTYPE_DCI}). Each request names its target; the adapter connects to that target, stays
 * connected while requests go to it, and disconnects when the next request names another target or the initiator is idle. Every
 * message is delivered once or ends in an error completion; messages to one target are in order. A request to another target
 * starts when all earlier requests are acknowledged. It has no receive queue: posting a receive is EINVAL.
 *
 * <p>{@link org.hcaactors.api.device.ProtectionDomain#createQp} creates it in RESET from {@link QpDescription#dc}, and {@link
 * #open} moves it to RTS. Then it accepts requests, but is not connected to any target yet. The first message is sent together
 * with the CONNECT (half handshake), so a change of target costs one round trip, to disconnect from the previous one. A process
 * needs as many initiators as targets it sends to at the same time, however many targets exist; {@code DciPool} of the artifact
 * {@code hca-client} shares a few initiators among many targets.
 *
 * <p>An error affects all targets: outstanding requests are flushed, and the transitions from RESET to RTS recover the
 * initiator. With {@linkplain DcStreams streams} an error affects only the stream of the failed request, as long as fewer than
 * {@link DcStreams#errored} streams are in error; {@link #query} returns whether the initiator is still in RTS.
 *
 * <p>Threads: any, as for every queue pair. Limits: those of every queue pair, and {@link RcConnection#rdAtomic()} outstanding
 * READs and atomics; more wait.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface DcInitiator extends QueuePair {
    /** Returns the streams configured at creation; empty if none. */
    Optional<DcStreams> streams();

    /**
     * Posts one request to the send queue ({@code ibv_post_send}, {@code mlx5dv_wr_set_dc_addr}); EINVAL if the address handle
     * was destroyed. The target is ignored for requests that change a key. Uses stream 0 if the initiator has streams.
     */
    default void post(DcAddress to, RcWork work) {
        post(to, 0, work);
    }

    /** Posts a signaled request and returns its completion as a stage. */
    default CompletionStage<WorkCompletion> submit(DcAddress to, RcWork work) {
        return submit(to, 0, work);
    }

    /** Same as {@link #submit(DcAddress, int, RcWork, Duration)}, on stream 0. */
    default CompletionStage<WorkCompletion> submit(DcAddress to, RcWork work, Duration timeout) {
        return submit(to, 0, work, timeout);
    }

    /**
     * Posts one request to a stream ({@code mlx5dv_wr_set_dc_addr_stream}). Requests of one stream stay in order; requests of
     * different streams may run concurrently, to different targets.
     *
     * @param stream 16 bits; streams beyond the number of channels share channels. EINVAL for a value other than 0 if the
     *     initiator has no streams
     */
    void post(DcAddress to, int stream, RcWork work);

    // rule post-list
    /**
     * Posts a list of requests to the send queue ({@code ibv_post_send} of a chain): in order, next to each other, with one
     * doorbell. The first request that is refused ends the call; an empty list has no effect.
     *
     * @throws org.hcaactors.api.error.PostRefusedException with the index of the refused request: those before it are posted, it
     *     and those behind it are not. Any other exception, such as for null, posts nothing
     */
    void post(List<DcRequest> requests);

    // rule post-list
    /**
     * Posts a list of requests whole or not at all ({@code ibv_wr_complete}): where one is refused, or not each has a free slot,
     * nothing is posted. Otherwise the same as {@link #post(List)}.
     *
     * @throws org.hcaactors.api.error.VerbsException the refusal of the first request that is refused
     */
    void postWhole(List<DcRequest> requests);

    /** Posts a signaled request to a stream and returns its completion as a stage. */
    CompletionStage<WorkCompletion> submit(DcAddress to, int stream, RcWork work);

    /**
     * Same as {@link #submit(DcAddress, int, RcWork)}, with a deadline. In every case the adapter has released the request's
     * buffer when the stage completes. If the request is not complete in time, the queue pair moves to ERR, which flushes all
     * its posted requests, to every target. If this request was flushed, the stage fails with a {@link
     * DeadlineExceededException}; if it completed meanwhile, the stage succeeds.
     *
     * @param timeout 0 to 24 days, on the clock of the network; IllegalArgumentException for another time, and nothing is posted
     */
    CompletionStage<WorkCompletion> submit(DcAddress to, int stream, RcWork work, Duration timeout);

    /**
     * Resets a stream in error ({@code mlx5dv_dci_stream_id_reset}), which accepts requests again once all its requests have
     * been flushed. EINVAL if the stream is not in error, if the initiator has no streams, or for more than 16 bits.
     */
    CompletionStage<Void> resetStream(int stream);

    /**
     * Moves it from RESET to RTS in one call; EINVAL, and nothing changes, if it is in a state after INIT. If an attribute is
     * refused, also with EINVAL, it is in RESET and can be opened again.
     *
     * @param attributes of this end; the rights of the peer are ignored. The RNR timer is the time that the initiator waits
     *     after a CNAK, when the target has no free responder
     */
    default CompletionStage<Void> open(RcConnection attributes) {
        QpModify toInit = QpModify.to(QpState.INIT, new QpAttribute.PkeyIndex(0), new QpAttribute.Port(1));
        QpModify toRtr = QpModify.to(QpState.RTR, new QpAttribute.Mtu(attributes.mtu()));
        return BringUp.of(this, toInit, toRtr, attributes.toRtsOnDemand());
    }
}
