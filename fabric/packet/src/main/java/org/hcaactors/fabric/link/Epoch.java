// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Change counter of a fabric. A change is announced on the requesting thread before the fabric's actor receives it; from then
 * on that thread finds every {@link DirectPath} closed until the actor has made the change. So packets and changes keep their
 * order as if both had passed through the actor's mailbox.
 */
public final class Epoch {
    private final AtomicLong announced = new AtomicLong();

    /** Announced changes that the fabric's actor has made; only the actor reads and writes it. */
    private long seen;

    /** Announces a change before it is sent to the fabric's actor. Any thread. */
    public void announce() {
        announced.incrementAndGet();
    }

    /** Counts an announced change that reached the actor and is made in this turn. */
    public void arrived() {
        seen++;
    }

    /** Announces and counts a change that the fabric makes itself; call it before the change. */
    void turn() {
        announce();
        arrived();
    }

    /** Returns the mark for paths that are opened now. Further changes may have been announced already. */
    long seen() {
        return seen;
    }

    /** True if no change has been announced since that mark. Any thread. */
    boolean isStill(long mark) {
        return announced.get() == mark;
    }
}
