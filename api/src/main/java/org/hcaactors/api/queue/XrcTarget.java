// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.Gid;

/**
 * XRC target ({@code IBV_QPT_XRC_RECV}), which the processes of a node share. It has no work queues; each request names a
 * shared receive queue of its XRC domain, and completes on that queue's completion queue.
 *
 * <p>Each process that has the XRC domain open may open the target by its number and then has its own handle. All handles refer
 * to one queue pair, each receives its events, and it is destroyed when the last handle is closed.
 *
 * <p>Threads: any; stages complete on the callers' executor. Limits: those of every queue pair.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface XrcTarget extends QueuePairEndpoint {
    /** Closes this handle; closing the last one destroys the queue pair. */
    @Override
    CompletionStage<Void> destroy();

    /**
     * Moves it from RESET to RTS in one call; the peer's owner must connect the peer as well. EINVAL, and nothing changes, if
     * it is in a state after INIT. If an attribute is refused, also with EINVAL, it is in RESET and can be connected again.
     *
     * @param peer GID of the peer's port
     * @param peerQp number of the initiator, 24 bits
     * @param attributes of this end; of those of a requester only the first PSN and the timeout are used
     */
    default CompletionStage<Void> connect(Gid peer, int peerQp, RcConnection attributes) {
        return BringUp.of(this, attributes.toInit(), attributes.toRtr(peer, peerQp), attributes.toRtsAsResponder());
    }
}
