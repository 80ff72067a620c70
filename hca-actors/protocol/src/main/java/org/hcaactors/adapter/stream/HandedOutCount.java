// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stream;

import java.util.concurrent.atomic.AtomicLong;
import org.hcaactors.mutation.MutationPoint;

/** How many elements a subscription has handed out: its own thread counts, and the owner's looks. */
public final class HandedOutCount {
    @MutationPoint("handed-out-count.handed-out")
    private final AtomicLong handedOut = new AtomicLong();

    /** The subscription's. */
    @MutationPoint("handed-out-count.handed-out-so-far")
    private long handedOutSoFar;

    /** The owner's. */
    private long seen;

    /** One more is handed out. The subscription's thread. */
    @MutationPoint("handed-out-count.hands-out")
    public void handsOut() {
        handedOut.setRelease(++handedOutSoFar);
    }

    /** Elements that were handed out since the last call. The owner's thread. */
    public int newlyHandedOut() {
        long now = handedOut.getAcquire();
        int more = (int) (now - seen);
        seen = now;
        return more;
    }
}
