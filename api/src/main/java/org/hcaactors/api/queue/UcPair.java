// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.concurrent.CompletionStage;

/**
 * Two queue pairs of an unreliable connection.
 *
 * <p>Immutable.
 *
 * @param local created from the first description
 * @param remote created from the second
 */
public record UcPair(UcQueuePair local, UcQueuePair remote) {
    /** Creates both and takes both from RESET to RTS, with {@link UcConnection#DEFAULT}. */
    public static CompletionStage<UcPair> connect(QpBuilder<UcQueuePair> local, QpBuilder<UcQueuePair> remote) {
        return connect(local, remote, UcConnection.DEFAULT);
    }

    /**
     * Both live on one shard of their network, the next one, unless their queues say otherwise. Where it fails, what was created is
     * closed.
     *
     * @param attributes as the first has them
     */
    public static CompletionStage<UcPair> connect(
            QpBuilder<UcQueuePair> local, QpBuilder<UcQueuePair> remote, UcConnection attributes) {
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
                                                .thenApply(done -> new UcPair(a, b))))));
    }
}
