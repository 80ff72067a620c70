// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** Requests to one target. */
final class PoolTraffic {
    final DcTargetKey to;
    final Deque<PoolRequest> waiting = new ArrayDeque<>();

    /** Lane of its outstanding requests; without such requests, the lane for which it waits if the policy allows no other. */
    @Nullable
    PoolLane lane;

    /** Part of the queue in which it waits; null if it does not wait. */
    @Nullable
    NavigableMap<Long, PoolTraffic> queuedIn;
    /** Place in the queue; 0: none. */
    long place;

    int outstanding;
    /** Requests sent since it got the lane. */
    int sent;

    PoolTraffic(DcTargetKey to) {
        this.to = to;
    }
}
