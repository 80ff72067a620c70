// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.UdWork;

/**
 * An unreliable datagram queue pair: one packet a message, to any peer whose queue key it knows. A receive buffer begins
 * with {@value #GRH_BYTES} bytes for the sender's address, and completions count them.
 *
 * <p>Threads: any, as of every queue pair. Limits: those of every queue pair; a message fits into one packet of the
 * port's active MTU.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface UdQueuePair extends QueuePair {
    /** Bytes at the start of every receive buffer that hold the GRH, or for IPv4 its header in the last 20 of them. */
    int GRH_BYTES = 40;

    /** Puts one request on the send queue ({@code ibv_post_send}); EINVAL with an address handle that was destroyed. */
    void post(UdAddress to, UdWork work);

    /** Posts signaled and gives the completion as a stage. */
    CompletionStage<WorkCompletion> submit(UdAddress to, UdWork work);

    /**
     * As {@link #submit}, with a deadline. Whatever becomes of it, the adapter has let go of the request's buffer when the stage is
     * done. Where the request is not done in time, the queue pair goes to ERR, which flushes all that is posted to it, and the stage fails
     * with a {@link DeadlineExceededException} when this request was flushed; what was done meanwhile succeeds nevertheless.
     *
     * @param atMost from nothing to 24 days, on the clock of the network; IllegalArgumentException for another time, and nothing is posted
     */
    CompletionStage<WorkCompletion> perform(UdAddress to, UdWork work, Duration atMost);

    /** Takes part in a group ({@code ibv_attach_mcast}); EINVAL if the address is no multicast address. */
    CompletionStage<Void> attachMulticast(Gid group);

    /** Leaves a group ({@code ibv_detach_mcast}); EINVAL if it takes no part in it. */
    CompletionStage<Void> detachMulticast(Gid group);

    /** RESET to RTS in one call, with this queue key, P_Key index 0 and first PSN 0. */
    default CompletionStage<Void> activate(int qkey) {
        QpModify toInit = QpModify.to(
                QpState.INIT, new QpAttribute.PkeyIndex(0), new QpAttribute.Port(1), new QpAttribute.Qkey(qkey));
        QpModify toRts = QpModify.to(QpState.RTS, new QpAttribute.SendPsn(0));
        return BringUp.of(this, toInit, QpModify.to(QpState.RTR), toRts);
    }
}
