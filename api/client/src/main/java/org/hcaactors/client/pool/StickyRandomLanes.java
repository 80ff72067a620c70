// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/** A lane for each recipient, drawn when it is seen first. */
final class StickyRandomLanes implements LaneSelector {
    /** Recipients; of one more, the one that was not asked for the longest time is forgotten, and gets a new lane. */
    static final int MAX_REMEMBERED = 4096;

    private final IntUnaryOperator draw;
    private final Map<DcTargetKey, PoolLane> drawn = new LinkedHashMap<>(16, 0.75f, true);

    /** @param draw of so many, one */
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
        PoolLane known = drawn.get(to);
        if (known != null && !known.member.lost) {
            return Optional.of(known);
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
