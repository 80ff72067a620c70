// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Queue of the targets with waiting requests, in the order in which they arrived or were last served. Targets with a lane are
 * queued at its initiator, others separately: of thousands of targets, only those whose initiator may have a free slot are
 * visited.
 */
final class PoolLine {
    private final List<PoolLane.Member> members;
    private final NavigableMap<Long, PoolTraffic> withoutLane = new TreeMap<>();
    private long lastPlace;

    PoolLine(List<PoolLane.Member> members) {
        this.members = members;
    }

    /** Queues a target according to its lane; it keeps its place if it has one, otherwise it is the last. */
    void stand(PoolTraffic mine) {
        stepOut(mine);
        if (mine.place == 0) {
            mine.place = ++lastPlace;
        }
        NavigableMap<Long, PoolTraffic> where = mine.lane == null ? withoutLane : mine.lane.member.line;
        where.put(mine.place, mine);
        mine.standsIn = where;
    }

    /** Removes a target temporarily: it keeps its place. */
    void stepOut(PoolTraffic mine) {
        if (mine.standsIn != null) {
            mine.standsIn.remove(mine.place);
            mine.standsIn = null;
        }
    }

    void leave(PoolTraffic mine) {
        stepOut(mine);
        mine.place = 0;
    }

    void hasNoLaneAnyMore(PoolTraffic mine) {
        mine.lane = null;
        mine.sent = 0;
        if (mine.standsIn != null) {
            stand(mine);
        }
    }

    /** Lets the targets that wait for this lost initiator, which has no outstanding requests, use other initiators. */
    void lost(PoolLane.Member member) {
        List.copyOf(member.line.values()).forEach(this::hasNoLaneAnyMore);
    }

    long lastPlace() {
        return lastPlace;
    }

    Collection<PoolTraffic> withoutLane() {
        return withoutLane.values();
    }

    /**
     * Returns the next target that may have a free slot.
     *
     * @param after only targets after this place
     * @param last only targets up to this place
     * @param someLaneIsFree whether targets without a lane are included
     */
    Optional<PoolTraffic> next(long after, long last, boolean someLaneIsFree) {
        Map.Entry<Long, PoolTraffic> first = someLaneIsFree ? withoutLane.higherEntry(after) : null;
        for (PoolLane.Member member : members) {
            Map.Entry<Long, PoolTraffic> there =
                    member.line.isEmpty() || !member.hasRoom() ? null : member.line.higherEntry(after);
            if (there != null && (first == null || there.getKey() < first.getKey())) {
                first = there;
            }
        }
        return first == null || first.getKey() > last ? Optional.empty() : Optional.of(first.getValue());
    }
}
