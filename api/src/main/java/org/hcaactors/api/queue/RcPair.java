// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.concurrent.CompletionStage;

/**
 * Two connected queue pairs.
 *
 * <p>Immutable.
 *
 * @param local created in the first domain
 * @param remote created in the second
 */
public record RcPair(RcQueuePair local, RcQueuePair remote) {
    /** Creates a plain queue pair in each domain and takes both from RESET to RTS, with {@link RcConnection#DEFAULT}. */
    public static CompletionStage<RcPair> connect(QueuePairCreator local, QueuePairCreator remote) {
        return connect(local, remote, RcConnection.DEFAULT);
    }

    /**
     * Creates a plain queue pair in each domain and takes both from RESET to RTS.
     *
     * @param attributes as the first has them
     */
    public static CompletionStage<RcPair> connect(
            QueuePairCreator local, QueuePairCreator remote, RcConnection attributes) {
        return connect(local, QpDescription.rc(), remote, QpDescription.rc(), attributes);
    }

    /** Creates both as described and takes both from RESET to RTS, with {@link RcConnection#DEFAULT}. */
    public static CompletionStage<RcPair> connect(
            QueuePairCreator local,
            QpDescription<RcQueuePair> ofLocal,
            QueuePairCreator remote,
            QpDescription<RcQueuePair> ofRemote) {
        return connect(local, ofLocal, remote, ofRemote, RcConnection.DEFAULT);
    }

    /**
     * Creates both and moves both from RESET to RTS. Both are placed on one shard of their network, the next in rotation,
     * unless their queues are on given shards. If it fails, the queue pairs created so far are closed.
     *
     * @param attributes as seen by the first
     */
    public static CompletionStage<RcPair> connect(
            QueuePairCreator local,
            QpDescription<RcQueuePair> ofLocal,
            QueuePairCreator remote,
            QpDescription<RcQueuePair> ofRemote,
            RcConnection attributes) {
        return PairCreation.create(
                local,
                ofLocal,
                remote,
                ofRemote,
                (a, b) -> a.connect(b.gid(), b.number(), attributes)
                        .thenCompose(done -> b.connect(a.gid(), a.number(), attributes.reversed()))
                        .thenApply(done -> new RcPair(a, b)));
    }
}
