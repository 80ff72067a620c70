// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.pool;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** What is under way to one recipient. */
final class PoolTraffic {
    final Recipient to;
    final Deque<PoolRequest> waiting = new ArrayDeque<>();

    /** Where its requests are outstanding, if any are. */
    @Nullable
    PoolLane lane;

    int outstanding;
    /** Since it has the lane. */
    int sent;

    PoolTraffic(Recipient to) {
        this.to = to;
    }
}
