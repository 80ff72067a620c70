// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.Objects;
import java.util.concurrent.CompletionStage;

/**
 * Two connected queue pairs.
 *
 * <p>Immutable.
 *
 * @param local queue pair in the first domain
 * @param remote queue pair in the second domain
 */
public record RcPair(RcQueuePair local, RcQueuePair remote) {
    /** Creates a queue pair in each domain and moves both from RESET to RTS, with {@link RcConnection#DEFAULT}. */
    public static CompletionStage<RcPair> connect(QueuePairCreator local, QueuePairCreator remote) {
        return connect(local, remote, RcConnection.DEFAULT);
    }

    /**
     * Creates a queue pair with default settings in each domain and moves both from RESET to RTS.
     *
     * @param attributes attributes of the local queue pair; the remote one gets them {@linkplain RcConnection#reversed reversed}
     */
    public static CompletionStage<RcPair> connect(
            QueuePairCreator local, QueuePairCreator remote, RcConnection attributes) {
        return connect(local, QpDescription.rc(), remote, QpDescription.rc(), attributes);
    }

    /** Creates both queue pairs as described and moves both from RESET to RTS, with {@link RcConnection#DEFAULT}. */
    public static CompletionStage<RcPair> connect(
            QueuePairCreator local,
            QpDescription<RcQueuePair> ofLocal,
            QueuePairCreator remote,
            QpDescription<RcQueuePair> ofRemote) {
        return connect(local, ofLocal, remote, ofRemote, RcConnection.DEFAULT);
    }

    /**
     * Creates both queue pairs and moves both from RESET to RTS. Both are placed on one shard of their network, the next in
     * rotation, unless their queues are on given shards. If it fails, the queue pairs created so far are closed.
     *
     * @param attributes attributes of the local queue pair; the remote one gets them {@linkplain RcConnection#reversed reversed}
     */
    public static CompletionStage<RcPair> connect(
            QueuePairCreator local,
            QpDescription<RcQueuePair> ofLocal,
            QueuePairCreator remote,
            QpDescription<RcQueuePair> ofRemote,
            RcConnection attributes) {
        Objects.requireNonNull(attributes, "a pair without connection attributes");
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
