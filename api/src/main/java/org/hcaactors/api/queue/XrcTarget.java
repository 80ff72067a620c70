// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.Gid;

/**
 * What is asked in an extended reliable connection ({@code IBV_QPT_XRC_RECV}): the end of a node, whose processes share it. It
 * posts nothing and has no queues; each request that it takes names a shared receive queue of its XRC domain, and completes
 * where that one completes.
 *
 * <p>Every process that has its XRC domain open may open it by its number, and has a handle of its own then: all of them
 * act on the one queue pair, each is told of its events, and it is gone with the last of them.
 *
 * <p>Threads: any; stages complete on the callers' executor. Limits: those of every queue pair.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface XrcTarget extends QueuePairEndpoint {
    /** Gives up this handle; the queue pair is destroyed with the last of them. */
    @Override
    CompletionStage<Void> destroy();

    /**
     * RESET to RTS in one call, towards a peer that its owner connects; EINVAL, and nothing changed, beyond INIT. Where a term
     * is refused, with EINVAL too, the queue pair is in RESET, and can be connected anew.
     *
     * @param peer address of the peer's port
     * @param peerQp number of the queue pair that asks, 24 bits
     * @param attributes as this end has them: of what it sends, its first PSN and its timeout count
     */
    default CompletionStage<Void> connect(Gid peer, int peerQp, RcConnection attributes) {
        return BringUp.of(
                this, attributes.toInit(), attributes.toRtr(peer, peerQp), attributes.toRtrAsResponder());
    }
}
