// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What keeps requests in order and fails as one: an initiator, or a stream of one. */
final class PoolLane {
    /** An initiator: its lanes share its send queue, and are in error together where it is. */
    static final class Member {
        final int index;
        final int depth;
        final boolean hasStreams;
        final List<PoolLane> lanes = new ArrayList<>();
        /** Who waits for it alone, by place. */
        final NavigableMap<Long, PoolTraffic> line = new TreeMap<>();

        int outstanding;
        boolean down;
        /** Its lanes in error: with any, it may be in error itself, and takes nothing until that is known. */
        int lanesDown;

        boolean reopening;
        boolean lost;
        int failedTries;

        /**
         * @param index in the pool
         * @param depth of its send queue
         * @param streams 0: it has none
         */
        Member(int index, int depth, int streams) {
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

    final Member member;
    final int stream;
    /** What failed or was flushed, as it was told, until everything on the lane has come back. */
    final List<PoolAnswer> outcomes = new ArrayList<>();

    int outstanding;
    private boolean down;
    boolean resetting;
    /** Whom the request was for that was posted last. */
    @Nullable
    DcTargetKey last;
    /** The same of those that it took. */
    @Nullable
    DcTargetKey lastTaken;
    /** Grows with each request that goes or comes back; 0: never used. */
    long usedAt;

    PoolLane(Member member, int stream) {
        this.member = member;
        this.stream = stream;
    }

    void setDown(boolean isSo) {
        if (isSo != down) {
            member.lanesDown += isSo ? 1 : -1;
        }
        down = isSo;
    }

    boolean isUp() {
        return !down && !member.down && !member.lost;
    }

    boolean isIdle() {
        return hasRoom() && outstanding == 0;
    }

    boolean hasRoom() {
        return member.hasRoom();
    }

    @Override
    public String toString() {
        return "initiator " + member.index + (member.hasStreams ? ", stream " + stream : "");
    }
}
