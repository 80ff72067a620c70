// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.Objects;
import java.util.concurrent.CompletionStage;

/**
 * Two queue pairs of an unreliable connection.
 *
 * <p>Immutable.
 *
 * @param local queue pair in the first domain
 * @param remote queue pair in the second domain
 */
public record UcPair(UcQueuePair local, UcQueuePair remote) {
    /** Creates a queue pair in each domain and moves both from RESET to RTS, with {@link UcConnection#DEFAULT}. */
    public static CompletionStage<UcPair> connect(QueuePairCreator local, QueuePairCreator remote) {
        return connect(local, remote, UcConnection.DEFAULT);
    }

    /**
     * Creates a queue pair with default settings in each domain and moves both from RESET to RTS.
     *
     * @param attributes attributes of the local queue pair; the remote one gets them {@linkplain UcConnection#reversed reversed}
     */
    public static CompletionStage<UcPair> connect(
            QueuePairCreator local, QueuePairCreator remote, UcConnection attributes) {
        return connect(local, QpDescription.uc(), remote, QpDescription.uc(), attributes);
    }

    /** Creates both queue pairs as described and moves both from RESET to RTS, with {@link UcConnection#DEFAULT}. */
    public static CompletionStage<UcPair> connect(
            QueuePairCreator local,
            QpDescription<UcQueuePair> ofLocal,
            QueuePairCreator remote,
            QpDescription<UcQueuePair> ofRemote) {
        return connect(local, ofLocal, remote, ofRemote, UcConnection.DEFAULT);
    }

    /**
     * Creates both queue pairs and moves both from RESET to RTS. Both are placed on one shard of their network, the next in
     * rotation, unless their queues are on given shards. If it fails, the queue pairs created so far are closed.
     *
     * @param attributes attributes of the local queue pair; the remote one gets them {@linkplain UcConnection#reversed reversed}
     */
    public static CompletionStage<UcPair> connect(
            QueuePairCreator local,
            QpDescription<UcQueuePair> ofLocal,
            QueuePairCreator remote,
            QpDescription<UcQueuePair> ofRemote,
            UcConnection attributes) {
        Objects.requireNonNull(attributes, "a pair without connection attributes");
        return PairCreation.create(
                local,
                ofLocal,
                remote,
                ofRemote,
                (a, b) -> a.connect(b.gid(), b.number(), attributes)
                        .thenCompose(done -> b.connect(a.gid(), a.number(), attributes.reversed()))
                        .thenApply(done -> new UcPair(a, b)));
    }
}
