// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.hcaactors.api.completion.Placement;

/**
 * Two ends that are made to be connected, of whichever transport. They live on the same shard, as far as nobody says otherwise, so
 * that their packets wake no other thread; and the next two on the next.
 */
final class PairCreation {
    private PairCreation() {}

    /** Creates both and connects them; where that fails, what was created is closed. */
    static <Q extends QueuePair, P> CompletionStage<P> create(
            QueuePairCreator local,
            QpDescription<Q> ofLocal,
            QueuePairCreator remote,
            QpDescription<Q> ofRemote,
            BiFunction<Q, Q, CompletionStage<P>> connected) {
        return local.createQp(first(ofLocal, ofRemote))
                .thenCompose(a -> Rollback.closing(
                        a,
                        remote.createQp(second(ofRemote, a))
                                .thenCompose(b -> Rollback.closing(b, connected.apply(a, b)))));
    }

    /** The end that is made first: where the other has to live, else on the next shard. */
    private static <Q extends QueuePair> QpDescription<Q> first(QpDescription<Q> end, QpDescription<Q> other) {
        return switch (other.effectivePlacement()) {
            case Placement there when isPlaced(end) -> end;
            case Placement.Chosen chosen -> end.withPlacement(Placement.Chosen.NEXT);
            case Placement.On on -> end.withPlacement(on);
        };
    }

    /** The other end: where the first one lives. */
    private static <Q extends QueuePair> QpDescription<Q> second(QpDescription<Q> end, QueuePair first) {
        return isPlaced(end) ? end : end.withShard(first.sendCq().shard());
    }

    private static boolean isPlaced(QpDescription<?> end) {
        return end.effectivePlacement() != Placement.Chosen.UNSPECIFIED;
    }
}
