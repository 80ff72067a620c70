// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.handle.StageTracking;

/**
 * Two connected queue pairs of one program. Closing destroys both.
 *
 * <p>{@code connectRc} and {@code connectUc} create both queue pairs and move both from RESET to RTS. Both are placed on one
 * shard of their network, the next in rotation, unless their queues are on given shards. If it fails, the queue pairs created
 * so far are closed. The attributes are those of the local queue pair; the remote one gets them reversed.
 *
 * <p>Immutable.
 *
 * @param local queue pair of the first creator
 * @param remote queue pair of the second creator
 * @param <Q> interface of both queue pairs
 */
public record QpPair<Q extends ConnectedQueuePair<?, ?>>(Q local, Q remote) implements Handle {
    public QpPair {
        Objects.requireNonNull(local, "local is null; a pair requires two queue pairs");
        Objects.requireNonNull(remote, "remote is null; a pair requires two queue pairs");
    }

    /** Connects two RC queue pairs with default settings and {@link RcConnection#DEFAULT}. */
    public static CompletionStage<QpPair<RcQueuePair>> connectRc(QueuePairCreator local, QueuePairCreator remote) {
        return connectRc(local, remote, RcConnection.DEFAULT);
    }

    /** Connects two RC queue pairs with default settings. */
    public static CompletionStage<QpPair<RcQueuePair>> connectRc(
            QueuePairCreator local, QueuePairCreator remote, RcConnection attributes) {
        return connectRc(local, QpDescription.rc(), remote, QpDescription.rc(), attributes);
    }

    /** Connects two RC queue pairs with {@link RcConnection#DEFAULT}. */
    public static CompletionStage<QpPair<RcQueuePair>> connectRc(
            QueuePairCreator local,
            QpDescription<RcQueuePair> ofLocal,
            QueuePairCreator remote,
            QpDescription<RcQueuePair> ofRemote) {
        return connectRc(local, ofLocal, remote, ofRemote, RcConnection.DEFAULT);
    }

    /** Connects two RC queue pairs. */
    public static CompletionStage<QpPair<RcQueuePair>> connectRc(
            QueuePairCreator local,
            QpDescription<RcQueuePair> ofLocal,
            QueuePairCreator remote,
            QpDescription<RcQueuePair> ofRemote,
            RcConnection attributes) {
        return connect(local, ofLocal, remote, ofRemote, attributes, attributes.reversed());
    }

    /** Connects two UC queue pairs with default settings and {@link UcConnection#DEFAULT}. */
    public static CompletionStage<QpPair<UcQueuePair>> connectUc(QueuePairCreator local, QueuePairCreator remote) {
        return connectUc(local, remote, UcConnection.DEFAULT);
    }

    /** Connects two UC queue pairs with default settings. */
    public static CompletionStage<QpPair<UcQueuePair>> connectUc(
            QueuePairCreator local, QueuePairCreator remote, UcConnection attributes) {
        return connectUc(local, QpDescription.uc(), remote, QpDescription.uc(), attributes);
    }

    /** Connects two UC queue pairs with {@link UcConnection#DEFAULT}. */
    public static CompletionStage<QpPair<UcQueuePair>> connectUc(
            QueuePairCreator local,
            QpDescription<UcQueuePair> ofLocal,
            QueuePairCreator remote,
            QpDescription<UcQueuePair> ofRemote) {
        return connectUc(local, ofLocal, remote, ofRemote, UcConnection.DEFAULT);
    }

    /** Connects two UC queue pairs. */
    public static CompletionStage<QpPair<UcQueuePair>> connectUc(
            QueuePairCreator local,
            QpDescription<UcQueuePair> ofLocal,
            QueuePairCreator remote,
            QpDescription<UcQueuePair> ofRemote,
            UcConnection attributes) {
        return connect(local, ofLocal, remote, ofRemote, attributes, attributes.reversed());
    }

    private static <C, Q extends ConnectedQueuePair<?, C>> CompletionStage<QpPair<Q>> connect(
            QueuePairCreator local,
            QpDescription<Q> ofLocal,
            QueuePairCreator remote,
            QpDescription<Q> ofRemote,
            C attributes,
            C reversed) {
        return PairCreation.create(
                local,
                ofLocal,
                remote,
                ofRemote,
                (a, b) -> a.connect(b.gid(), b.number(), attributes)
                        .thenCompose(done -> b.connect(a.gid(), a.number(), reversed))
                        .thenApply(done -> new QpPair<>(a, b)));
    }

    /** Destroys both; fails if one of them could not be destroyed. */
    @Override
    public CompletionStage<Void> closeAsync() {
        CompletionStage<Void> second = remote.closeAsync();
        return local.closeAsync().thenCombine(second, (first, other) -> first);
    }

    @Override
    public void close() {
        StageTracking.await(local, closeAsync());
    }

    @Override
    public String describe() {
        return local.describe() + " and " + remote.describe();
    }
}
