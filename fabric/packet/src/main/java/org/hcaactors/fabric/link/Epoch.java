// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How far a fabric has changed. A change is announced on the thread of whoever wants it, before the fabric's actor is told,
 * and that thread's later packets find every {@link DirectPath} closed until the actor has seen to it. So packets and
 * changes keep their order as if both had gone through the actor's mailbox.
 */
public final class Epoch {
    private final AtomicLong announced = new AtomicLong();

    /** Announced changes that the fabric's actor has seen to; its own to read and write. */
    private long seen;

    /** A change will be told to the fabric's actor. On any thread. */
    public void announce() {
        announced.incrementAndGet();
    }

    /** A change that was announced is here, and made in this turn. */
    public void arrived() {
        seen++;
    }

    /** A change that nobody announced: the fabric's own, before it is made. */
    void turn() {
        announce();
        arrived();
    }

    /** What ways that are opened now are marked with: no change is made, but others may have been announced. */
    long seen() {
        return seen;
    }

    /** No change was announced that the actor had not seen to at that mark. On any thread. */
    boolean isStill(long mark) {
        return announced.get() == mark;
    }
}
