// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The lane that is likely to be connected there, else one that is likely to be disconnected. */
final class LeastRecentlyUsed implements LaneSelector {
    /** Every use counts, also by who had it already: else a lane in steady use would be taken from its recipient. */
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
