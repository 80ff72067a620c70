// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/** Selector that draws a lane for each target when it is first used, and keeps it. */
final class StickyRandomLanes implements LaneSelector {
    /** Number of remembered targets; beyond it the least recently used one is forgotten, and gets a new lane. */
    static final int MAX_REMEMBERED = 4096;

    private final IntUnaryOperator draw;
    private final Map<DcTargetKey, PoolLane> drawn = new LinkedHashMap<>(16, 0.75f, true);

    /** @param draw returns an index below its argument */
    StickyRandomLanes(IntUnaryOperator draw) {
        this.draw = draw;
    }

    static StickyRandomLanes inTurn() {
        int[] turn = {0};
        return new StickyRandomLanes(many -> Math.floorMod(turn[0]++, many));
    }

    @Override
    public boolean isSticky() {
        return true;
    }

    @Override
    public Optional<PoolLane> choose(DcTargetKey to, List<PoolLane> lanes) {
        PoolLane previous = drawn.get(to);
        if (previous != null && !previous.initiator.lost) {
            return Optional.of(previous);
        }
        if (lanes.isEmpty()) {
            return Optional.empty();
        }
        PoolLane lane = lanes.get(draw.applyAsInt(lanes.size()));
        drawn.put(to, lane);
        if (drawn.size() > MAX_REMEMBERED) {
            drawn.remove(drawn.keySet().iterator().next());
        }
        return Optional.of(lane);
    }
}
