// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import org.hcaactors.api.completion.Placement;

/**
 * Placement of two queue pairs that will be connected: both on the same shard unless a description says otherwise, so that
 * their packets wake no other thread; the next pair on the next shard.
 */
final class ShardPlacement {
    private ShardPlacement() {}

    /** Places the queue pair that is created first: on the shard of the other, if that is given, otherwise on the next shard. */
    static <Q extends QueuePair> QpBuilder<Q> first(QpBuilder<Q> end, QpBuilder<?> other) {
        return switch (other.description().effectivePlacement()) {
            case Placement there when isPlaced(end) -> end;
            case Placement.Chosen chosen -> end.at(Placement.Chosen.NEXT);
            case Placement.On on -> end.at(on);
        };
    }

    /** Places the second queue pair on the shard of the first. */
    static <Q extends QueuePair> QpBuilder<Q> second(QpBuilder<Q> end, QueuePair first) {
        return isPlaced(end) ? end : end.onShard(first.sendCq().shard());
    }

    private static boolean isPlaced(QpBuilder<?> end) {
        return end.description().effectivePlacement() != Placement.Chosen.UNSPECIFIED;
    }
}
