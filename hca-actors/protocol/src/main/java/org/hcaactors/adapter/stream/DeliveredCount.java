// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stream;

import java.util.concurrent.atomic.AtomicLong;
import org.hcaactors.mutation.MutationPoint;

/** Number of elements that a subscription has handed out, written by its own thread and read by the owner's. */
public final class DeliveredCount {
    @MutationPoint("handed-out-count.handed-out")
    private final AtomicLong delivered = new AtomicLong();

    /** Used by the subscription's thread. */
    @MutationPoint("handed-out-count.handed-out-so-far")
    private long deliveredSoFar;

    /** Used by the owner's thread. */
    private long seen;

    /** Counts another element. The subscription's thread. */
    @MutationPoint("handed-out-count.hands-out")
    public void increment() {
        delivered.setRelease(++deliveredSoFar);
    }

    /** Number of elements handed out since the last call. The owner's thread. */
    public int newlyDelivered() {
        long now = delivered.getAcquire();
        int more = (int) (now - seen);
        seen = now;
        return more;
    }
}
