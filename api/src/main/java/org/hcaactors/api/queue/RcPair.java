// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.concurrent.CompletionStage;

/**
 * Two connected RC queue pairs.
 *
 * <p>Immutable.
 *
 * @param local created from the first description
 * @param remote created from the second
 */
public record RcPair(RcQueuePair local, RcQueuePair remote) {
    /** Creates both and moves both from RESET to RTS, with {@link RcConnection#DEFAULT}. */
    public static CompletionStage<RcPair> connect(QpBuilder<RcQueuePair> local, QpBuilder<RcQueuePair> remote) {
        return connect(local, remote, RcConnection.DEFAULT);
    }

    /**
     * Creates both and moves both from RESET to RTS. Both are placed on one shard of their network, the next in rotation,
     * unless their queues are on given shards. If it fails, the queue pairs created so far are closed.
     *
     * @param attributes as seen by the first
     */
    public static CompletionStage<RcPair> connect(
            QpBuilder<RcQueuePair> local, QpBuilder<RcQueuePair> remote, RcConnection attributes) {
        return ShardPlacement.first(local, remote)
                .create()
                .thenCompose(a -> Rollback.closing(
                        a,
                        ShardPlacement.second(remote, a)
                                .create()
                                .thenCompose(b -> Rollback.closing(
                                        b,
                                        a.connect(b.gid(), b.number(), attributes)
                                                .thenCompose(
                                                        done -> b.connect(a.gid(), a.number(), attributes.reversed()))
                                                .thenApply(done -> new RcPair(a, b))))));
    }
}
