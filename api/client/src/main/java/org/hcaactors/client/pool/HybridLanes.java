// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Lanes of one each, and the streams of an initiator for those who find none free.
 *
 * @param first who gives out the lanes without streams
 * @param rest who gives out the streams
 */
record HybridLanes(LaneSelector first, LaneSelector rest) implements LaneSelector {
    HybridLanes(LaneSelector first) {
        this(first, StickyRandomLanes.inTurn());
    }

    @Override
    public Optional<PoolLane> choose(DcTargetKey to, List<PoolLane> lanes) {
        return first.choose(to, having(false, lanes)).or(() -> rest.choose(to, having(true, lanes)));
    }

    @Override
    public boolean keepsLane(PoolLane lane, int sent, BooleanSupplier othersWait) {
        return lane.member.hasStreams || first.keepsLane(lane, sent, othersWait);
    }

    private static List<PoolLane> having(boolean streams, List<PoolLane> lanes) {
        return lanes.stream().filter(lane -> lane.member.hasStreams == streams).toList();
    }
}
