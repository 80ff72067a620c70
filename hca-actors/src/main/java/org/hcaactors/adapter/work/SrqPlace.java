// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.adapter.flow.NoReceive;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Packet;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair's place at a shared receive queue: at most the one buffer that was taken for the next message. It never takes
 * ahead (rule receive-shared-order), since the order across queue pairs, the limit event and RNR would differ from hardware's.
 */
public final class SrqPlace implements Receives {
    private final LocalMemory memory;
    private @Nullable Receive next;

    /** The shared queue was asked for a buffer and has not answered. */
    private boolean asked;

    /** The shared queue had none when it was asked in this turn. */
    private boolean toldEmpty;

    /** @param memory through the keys of the shared queue's protection domain */
    public SrqPlace(LocalMemory memory) {
        this.memory = memory;
    }

    @Override
    public Supply supply(Packet first, Turn turn) {
        if (next != null) {
            return Supply.READY;
        }
        if (toldEmpty) {
            return Supply.EMPTY;
        }
        if (!asked) {
            asked = true;
            turn.takeShared();
        }
        return Supply.AWAITING;
    }

    @Override
    public NoReceive whyEmpty() {
        return NoReceive.SHARED_QUEUE_IS_EMPTY;
    }

    /** The shared queue's answer. */
    public void taken(Receive receive) {
        asked = false;
        next = receive;
    }

    /** The shared queue's answer: it has none. */
    public void noneToTake() {
        asked = false;
        toldEmpty = true;
    }

    /** A later message asks the shared queue again. */
    public void endTurn() {
        toldEmpty = false;
    }

    /** A buffer of the shared queue may still be on its way here. */
    public boolean isAwaiting() {
        return asked;
    }

    @Override
    public boolean hasNext() {
        return next != null;
    }

    @Override
    public Receive next() {
        if (next == null) {
            throw new IllegalStateException("no receive was taken");
        }
        return next;
    }

    @Override
    public void take() {
        next = null;
    }

    /** Others may have taken what was behind it. */
    @Override
    public boolean takesBack() {
        return false;
    }

    @Override
    public void takeBack(Receive receive) {
        throw new IllegalStateException("a receive of a shared queue can't be the next one again");
    }

    // rule receive-returned
    @Override
    public void abandon(Receive receive, Turn turn) {
        turn.giveBackShared(receive);
    }

    @Override
    public LocalMemory memory() {
        return memory;
    }

    /** What no message was put into goes back. */
    public void clear(Turn turn) {
        if (next != null) {
            turn.giveBackShared(next);
            next = null;
        }
    }
}
