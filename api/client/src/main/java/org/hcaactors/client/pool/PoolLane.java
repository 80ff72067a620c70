// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Lane of a pool: a DC initiator or one of its streams. Its requests are executed in order, and an error flushes all of them. */
final class PoolLane {
    /** A DC initiator of the pool: its lanes share its send queue, and fail together if it fails. */
    static final class PoolInitiator {
        final int index;
        final int depth;
        final boolean hasStreams;
        final List<PoolLane> lanes = new ArrayList<>();
        /** Targets that wait only for this initiator, by place. */
        final NavigableMap<Long, PoolTraffic> waitingTargets = new TreeMap<>();

        int outstanding;
        boolean down;
        /**
         * Number of its lanes in error. While it is not 0, the initiator itself may be in error, and no requests are posted to
         * it until that is known.
         */
        int lanesDown;

        boolean reopening;
        boolean lost;
        int failedTries;

        /**
         * @param index in the pool
         * @param depth of its send queue
         * @param streams 0: none
         */
        PoolInitiator(int index, int depth, int streams) {
            this.index = index;
            this.depth = depth;
            hasStreams = streams > 0;
            for (int stream = 0; stream < Math.max(1, streams); stream++) {
                lanes.add(new PoolLane(this, stream));
            }
        }

        boolean hasRoom() {
            return !down && lanesDown == 0 && !lost && outstanding < depth;
        }
    }

    final PoolInitiator initiator;
    final int stream;
    /** Failed and flushed requests in the order of their completions, until all requests of the lane have returned. */
    final List<PoolAnswer> outcomes = new ArrayList<>();

    int outstanding;
    private boolean down;
    boolean resetting;
    /** Target of the last posted request. */
    @Nullable
    DcTargetKey last;
    /** Target of the last request that the initiator accepted. */
    @Nullable
    DcTargetKey lastAccepted;
    /** Increases with each request that is posted or returns; 0: never used. */
    long usedAt;

    PoolLane(PoolInitiator initiator, int stream) {
        this.initiator = initiator;
        this.stream = stream;
    }

    void setDown(boolean isSo) {
        if (isSo != down) {
            initiator.lanesDown += isSo ? 1 : -1;
        }
        down = isSo;
    }

    boolean isUp() {
        return !down && !initiator.down && !initiator.lost;
    }

    boolean isIdle() {
        return hasRoom() && outstanding == 0;
    }

    boolean hasRoom() {
        return initiator.hasRoom();
    }

    @Override
    public String toString() {
        return "initiator " + initiator.index + (initiator.hasStreams ? ", stream " + stream : "");
    }
}
