// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.hcaactors.api.completion.Placement;

/**
 * Creation of two queue pairs that are connected to each other, of any transport. Unless a description specifies a shard, both
 * are placed on the same one, so that their packets wake no other thread, and the next pair is placed on the next shard.
 */
final class PairCreation {
    private PairCreation() {}

    /** Creates and connects both queue pairs; if this fails, those created so far are closed. */
    static <Q extends QueuePair, P> CompletionStage<P> create(
            QueuePairCreator local,
            QpDescription<Q> ofLocal,
            QueuePairCreator remote,
            QpDescription<Q> ofRemote,
            BiFunction<Q, Q, CompletionStage<P>> connected) {
        return local.createQp(first(ofLocal, ofRemote))
                .thenCompose(a -> Rollback.closing(
                        a,
                        remote.createQp(second(ofRemote, ofLocal, a))
                                .thenCompose(b -> Rollback.closing(b, connected.apply(a, b)))));
    }

    /** Returns the description of the first queue pair: placed where the other one must be, otherwise on the next shard. */
    private static <Q extends QueuePair> QpDescription<Q> first(QpDescription<Q> end, QpDescription<Q> other) {
        return switch (other.effectivePlacement()) {
            case Placement any when isPlaced(end) -> end;
            case Placement.Chosen chosen -> end.withPlacement(Placement.Chosen.NEXT);
            case Placement.On on -> end.withPlacement(on);
        };
    }

    /**
     * Returns the description of the second queue pair: placed with the first one, unless it specifies a shard itself. Two ends
     * on the next shard are on one shard.
     */
    private static <Q extends QueuePair> QpDescription<Q> second(
            QpDescription<Q> end, QpDescription<Q> other, QueuePair first) {
        boolean isApart = isPlaced(end) && !isNext(end, other);
        return isApart ? end : end.withShard(first.sendCq().shard());
    }

    private static boolean isNext(QpDescription<?> end, QpDescription<?> other) {
        return end.effectivePlacement() == Placement.Chosen.NEXT && other.effectivePlacement() == Placement.Chosen.NEXT;
    }

    private static boolean isPlaced(QpDescription<?> end) {
        return end.effectivePlacement() != Placement.Chosen.UNSPECIFIED;
    }
}
