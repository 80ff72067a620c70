// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A lane that nobody else has: a stack of free ones, the one on top freed last.
 *
 * @param quota of requests sent while others wait
 */
record ExclusiveLanes(int quota) implements LaneSelector {
    @Override
    public Optional<PoolLane> choose(DcTargetKey to, List<PoolLane> lanes) {
        return lanes.stream().filter(PoolLane::isIdle).max(Comparator.comparingLong(lane -> lane.usedAt));
    }

    @Override
    public boolean keepsLane(PoolLane lane, int sent, BooleanSupplier othersWait) {
        return sent < quota || !othersWait.getAsBoolean();
    }
}
