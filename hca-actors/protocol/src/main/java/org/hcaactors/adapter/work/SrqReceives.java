// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Packet;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair's place at a shared receive queue: at most the one buffer that was taken for the next message. It never takes
 * ahead (rule receive-shared-order), since the order across queue pairs, the limit event and RNR would differ from hardware's.
 */
public final class SrqReceives implements SharedReceiveSource {
    private final int number;
    private final LocalMemory memory;
    private @Nullable Receive next;

    /** The shared queue was asked for a buffer and has not answered. */
    private boolean asked;

    /** The shared queue had none when it was asked in this turn. */
    private boolean toldEmpty;

    /**
     * @param number of the shared queue
     * @param memory through the keys of its protection domain
     */
    public SrqReceives(int number, LocalMemory memory) {
        this.number = number;
        this.memory = memory;
    }

    /** Of the shared queue. */
    public int number() {
        return number;
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
            turn.takeShared(number);
        }
        return Supply.AWAITING;
    }

    @Override
    public void taken(int queue, Receive receive) {
        asked = false;
        next = receive;
    }

    @Override
    public void empty(int queue) {
        asked = false;
        toldEmpty = true;
    }

    @Override
    public boolean failed(int queue) {
        empty(queue);
        return false;
    }

    @Override
    public void endTurn() {
        toldEmpty = false;
    }

    @Override
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

    // rule receive-returned
    @Override
    public void abandon(Receive receive, Turn turn) {
        turn.giveBackShared(number, receive);
    }

    @Override
    public LocalMemory memory() {
        return memory;
    }

    @Override
    public void clear(Turn turn) {
        if (next != null) {
            turn.giveBackShared(number, next);
            next = null;
        }
    }

    // rule receive-returned
    @Override
    public void leave(Turn turn) {
        if (asked) {
            asked = false;
            turn.withdrawShared(number);
        }
    }
}
