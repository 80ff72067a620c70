// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import org.hcaactors.api.completion.Placement;

/**
 * Where two ends live that are made to be connected: on the same shard, as far as nobody says otherwise, so that their packets
 * wake no other thread; and the next two on the next.
 */
final class ShardPlacement {
    private ShardPlacement() {}

    /** The end that is made first: where the other has to live, else on the next shard. */
    static <Q extends QueuePair> QpBuilder<Q> first(QpBuilder<Q> end, QpBuilder<?> other) {
        return switch (other.description().effectivePlacement()) {
            case Placement there when isPlaced(end) -> end;
            case Placement.Chosen chosen -> end.at(Placement.Chosen.NEXT);
            case Placement.On on -> end.at(on);
        };
    }

    /** The other end: where the first one lives. */
    static <Q extends QueuePair> QpBuilder<Q> second(QpBuilder<Q> end, QueuePair first) {
        return isPlaced(end) ? end : end.onShard(first.sendCq().shard());
    }

    private static boolean isPlaced(QpBuilder<?> end) {
        return end.description().effectivePlacement() != Placement.Chosen.UNSAID;
    }
}
