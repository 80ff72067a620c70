// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** What is under way to one recipient. */
final class PoolTraffic {
    final DcTargetKey to;
    final Deque<PoolRequest> waiting = new ArrayDeque<>();

    /** Where its requests are outstanding, if any are; else where they wait to be, if nowhere else will do. */
    @Nullable
    PoolLane lane;

    /** The part of the line in which it stands, if it does. */
    @Nullable
    NavigableMap<Long, PoolTraffic> standsIn;
    /** In the line; 0: none. */
    long place;

    int outstanding;
    /** Since it has the lane. */
    int sent;

    PoolTraffic(DcTargetKey to) {
        this.to = to;
    }
}
