// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Who has requests that wait, first who came or was served longest ago. Who has a lane stands at its initiator, the others apart:
 * with thousands of recipients, only those are looked at that may have something to go on.
 */
final class PoolLine {
    private final List<PoolLane.Member> members;
    private final NavigableMap<Long, PoolTraffic> withoutLane = new TreeMap<>();
    private long lastPlace;

    PoolLine(List<PoolLane.Member> members) {
        this.members = members;
    }

    /** Where its lane says; it keeps its place if it has one, and else is the last. */
    void stand(PoolTraffic mine) {
        stepOut(mine);
        if (mine.place == 0) {
            mine.place = ++lastPlace;
        }
        NavigableMap<Long, PoolTraffic> where = mine.lane == null ? withoutLane : mine.lane.member.line;
        where.put(mine.place, mine);
        mine.standsIn = where;
    }

    /** For a moment: it keeps its place. */
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

    /** Nothing is outstanding there: who waited for it may go elsewhere. */
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
     * The next one that may have something to go on.
     *
     * @param after this place
     * @param last place of all that are wanted
     * @param someLaneIsFree who has no lane is wanted, too
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
