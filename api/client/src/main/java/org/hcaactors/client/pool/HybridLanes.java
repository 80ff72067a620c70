// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Selector of lanes for exclusive use, or of a stream of the last initiator if none is free.
 *
 * @param first selector of the exclusive lanes
 * @param rest selector of the streams
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
        return lane.initiator.hasStreams || first.keepsLane(lane, sent, othersWait);
    }

    private static List<PoolLane> having(boolean streams, List<PoolLane> lanes) {
        return lanes.stream()
                .filter(lane -> lane.initiator.hasStreams == streams)
                .toList();
    }
}
