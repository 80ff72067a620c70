// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.cm;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.hcaactors.adapter.cm.CmConnection.RemoteEnd;
import org.hcaactors.adapter.cm.CmConnection.RemoteQueuePair;
import org.jspecify.annotations.Nullable;

/** The connections of one adapter, by what messages name and by their deadlines. */
final class CmTable {
    private final Map<Integer, CmConnection> byCommId = new LinkedHashMap<>();
    private final Map<RemoteEnd, CmConnection> byRemoteEnd = new LinkedHashMap<>();
    private final Map<RemoteQueuePair, CmConnection> byRemoteQueuePair = new LinkedHashMap<>();
    private final Map<Integer, CmConnection> byLocalQueuePair = new LinkedHashMap<>();
    private final TreeSet<CmConnection> waiting = byDeadline();

    /** Connections in time-wait. */
    private final TreeSet<CmConnection> ended = byDeadline();

    private static TreeSet<CmConnection> byDeadline() {
        return new TreeSet<>(
                Comparator.<CmConnection>comparingLong(each -> each.deadline).thenComparingInt(each -> each.commId));
    }

    void add(CmConnection made) {
        byCommId.put(made.commId, made);
    }

    /** The connection has a queue pair of this adapter. */
    void uses(CmConnection of, int qpNumber) {
        of.localQpn = qpNumber;
        byLocalQueuePair.put(qpNumber, of);
    }

    @Nullable
    CmConnection ofQueuePair(int qpNumber) {
        return byLocalQueuePair.get(qpNumber);
    }

    /** The communication ID and the queue pair of the peer are known. */
    void connected(CmConnection of) {
        byRemoteEnd.put(of.remoteEnd(), of);
        byRemoteQueuePair.put(of.remoteQueuePair(), of);
    }

    /** The peer's queue pair is not connected here any more; late messages still find the connection. */
    void disconnected(CmConnection of) {
        byRemoteQueuePair.remove(of.remoteQueuePair(), of);
    }

    void remove(CmConnection over) {
        deadline(over, Long.MAX_VALUE);
        byCommId.remove(over.commId);
        byLocalQueuePair.remove(over.localQpn, over);
        byRemoteEnd.remove(over.remoteEnd(), over);
        byRemoteQueuePair.remove(over.remoteQueuePair(), over);
    }

    int size() {
        return byCommId.size();
    }

    /** Number of connections in time-wait. */
    int ended() {
        return ended.size();
    }

    Collection<CmConnection> all() {
        return List.copyOf(byCommId.values());
    }

    @Nullable
    CmConnection get(int commId) {
        return byCommId.get(commId);
    }

    @Nullable
    CmConnection get(RemoteEnd end) {
        return byRemoteEnd.get(end);
    }

    /** Returns the connection of a peer's queue pair, or of its communication ID; either has one at a time. */
    Optional<CmConnection> connectionOf(RemoteQueuePair queuePair, RemoteEnd end) {
        return Optional.ofNullable(byRemoteQueuePair.getOrDefault(queuePair, byRemoteEnd.get(end)));
    }

    /** @param at Long.MAX_VALUE for none */
    void deadline(CmConnection of, long at) {
        waiting.remove(of);
        ended.remove(of);
        of.deadline = at;
        if (at != Long.MAX_VALUE) {
            (of.state == CmState.TIME_WAIT ? ended : waiting).add(of);
        }
    }

    /** Returns the next connection whose deadline has passed. */
    Optional<CmConnection> due(long now) {
        if (nextAction() <= now) {
            return Optional.of(waiting.first());
        }
        return first(ended) <= now ? Optional.of(ended.first()) : Optional.empty();
    }

    /** Returns the next deadline of a connection that has not ended. */
    long nextAction() {
        return first(waiting);
    }

    long nextDeadline() {
        return Math.min(first(waiting), first(ended));
    }

    private static long first(TreeSet<CmConnection> all) {
        return all.isEmpty() ? Long.MAX_VALUE : all.first().deadline;
    }
}
