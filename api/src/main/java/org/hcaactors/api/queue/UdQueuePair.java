// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.UdWork;

/**
 * An unreliable datagram queue pair: each message is one packet, to any peer whose Q_Key it knows. Every receive buffer begins
 * with {@value #GRH_BYTES} bytes for the sender's GRH, and completions count them.
 *
 * <p>Threads: any, as for every queue pair. Limits: those of every queue pair; a message fits into one packet of the port's
 * active MTU.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface UdQueuePair extends QueuePair {
    /** Size of the GRH at the start of every receive buffer; an IPv4 header is in its last 20 bytes. */
    int GRH_BYTES = 40;

    /** Posts one request to the send queue ({@code ibv_post_send}); EINVAL if the address handle was destroyed. */
    void post(UdAddress to, UdWork work);

    // rule post-list
    /**
     * Posts a list of requests to the send queue ({@code ibv_post_send} of a chain): in order, next to each other, with one
     * doorbell. The first request that is refused ends the call; an empty list has no effect.
     *
     * @throws org.hcaactors.api.error.PostRefusedException with the index of the refused request: those before it are posted, it
     *     and those behind it are not. Any other exception, such as for null, posts nothing
     */
    void post(List<UdRequest> requests);

    // rule post-list
    /**
     * Posts a list of requests whole or not at all ({@code ibv_wr_complete}): where one is refused, or not each has a free slot,
     * nothing is posted. Otherwise the same as {@link #post(List)}.
     *
     * @throws org.hcaactors.api.error.VerbsException the refusal of the first request that is refused
     */
    void postWhole(List<UdRequest> requests);

    /** Posts a signaled request and returns its completion as a stage. */
    CompletionStage<WorkCompletion> submit(UdAddress to, UdWork work);

    /**
     * Same as {@link #submit}, with a deadline. In every case the adapter has released the request's buffer when the stage
     * completes. If the request is not complete in time, the queue pair moves to ERR, which flushes all its posted requests. If
     * this request was flushed, the stage fails with a {@link DeadlineExceededException}; if it completed meanwhile, the stage
     * succeeds.
     *
     * @param timeout 0 to 24 days, on the clock of the network; IllegalArgumentException for another time, and nothing is posted
     */
    CompletionStage<WorkCompletion> submit(UdAddress to, UdWork work, Duration timeout);

    /** Joins a multicast group ({@code ibv_attach_mcast}); EINVAL if the address is not a multicast address. */
    CompletionStage<Void> attachMulticast(Gid group);

    /** Leaves a multicast group ({@code ibv_detach_mcast}); EINVAL if it is not a member. */
    CompletionStage<Void> detachMulticast(Gid group);

    /** Moves it from RESET to RTS in one call, with this Q_Key, P_Key index 0 and first PSN 0. */
    default CompletionStage<Void> activate(QKey qkey) {
        QpModify toInit = QpModify.to(
                QpState.INIT, new QpAttribute.PkeyIndex(0), new QpAttribute.Port(1), new QpAttribute.Qkey(qkey));
        QpModify toRts = QpModify.to(QpState.RTS, new QpAttribute.SendPsn(0));
        return BringUp.of(this, toInit, QpModify.to(QpState.RTR), toRts);
    }
}
