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
final class TargetQueue {
    private final List<PoolLane.PoolInitiator> initiators;
    private final NavigableMap<Long, PoolTraffic> withoutLane = new TreeMap<>();
    private long lastPlace;

    TargetQueue(List<PoolLane.PoolInitiator> initiators) {
        this.initiators = initiators;
    }

    /** Queues a target according to its lane; it keeps its place if it has one, otherwise it is the last. */
    void enqueue(PoolTraffic target) {
        park(target);
        if (target.place == 0) {
            target.place = ++lastPlace;
        }
        NavigableMap<Long, PoolTraffic> where =
                target.lane == null ? withoutLane : target.lane.initiator.waitingTargets;
        where.put(target.place, target);
        target.queuedIn = where;
    }

    /** Removes a target temporarily: it keeps its place. */
    void park(PoolTraffic target) {
        if (target.queuedIn != null) {
            target.queuedIn.remove(target.place);
            target.queuedIn = null;
        }
    }

    void remove(PoolTraffic target) {
        park(target);
        target.place = 0;
    }

    void releaseLane(PoolTraffic target) {
        target.lane = null;
        target.sent = 0;
        if (target.queuedIn != null) {
            enqueue(target);
        }
    }

    /** Lets the targets that wait for this lost initiator, which has no outstanding requests, use other initiators. */
    void initiatorLost(PoolLane.PoolInitiator initiator) {
        List.copyOf(initiator.waitingTargets.values()).forEach(this::releaseLane);
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
        for (PoolLane.PoolInitiator initiator : initiators) {
            Map.Entry<Long, PoolTraffic> next = initiator.waitingTargets.isEmpty() || !initiator.hasRoom()
                    ? null
                    : initiator.waitingTargets.higherEntry(after);
            if (next != null && (first == null || next.getKey() < first.getKey())) {
                first = next;
            }
        }
        return first == null || first.getKey() > last ? Optional.empty() : Optional.of(first.getValue());
    }
}
