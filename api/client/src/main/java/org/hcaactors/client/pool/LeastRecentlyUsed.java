// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Selector of the lane that is probably still connected to the target, otherwise one that is probably disconnected. */
final class LeastRecentlyUsed implements LaneSelector {
    /** Uses by the lane's current target count too: otherwise a lane in steady use would be given to another target. */
    private static final Comparator<PoolLane> IDLE_THEN_OLDEST =
            Comparator.comparing((PoolLane lane) -> !lane.isIdle()).thenComparingLong(lane -> lane.usedAt);

    @Override
    public Optional<PoolLane> choose(DcTargetKey to, List<PoolLane> lanes) {
        List<PoolLane> up = lanes.stream().filter(PoolLane::hasRoom).toList();
        return up.stream()
                .filter(lane -> to.equals(lane.last))
                .max(Comparator.comparingLong(lane -> lane.usedAt))
                .or(() -> up.stream().min(IDLE_THEN_OLDEST));
    }
}
