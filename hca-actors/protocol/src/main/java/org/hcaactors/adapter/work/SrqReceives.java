// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Packet;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair's source of receives on a shared receive queue. It holds at most the one receive taken for the next message, and
 * never takes one ahead (rule receive-shared-order), since the order across queue pairs, the limit event and RNR would differ
 * from hardware's.
 */
public final class SrqReceives implements SharedReceiveSource {
    private final int number;
    private final LocalMemory memory;
    private @Nullable Receive next;

    /**
     * @param number number of the shared receive queue
     * @param memory access to memory in the shared receive queue's protection domain
     */
    public SrqReceives(int number, LocalMemory memory) {
        this.number = number;
        this.memory = memory;
    }

    /** Number of the shared receive queue. */
    public int number() {
        return number;
    }

    @Override
    public Supply supply(Packet first, Turn turn) {
        if (next == null) {
            next = turn.takeShared(number);
            if (next != null) {
                turn.sharedTaken(number, next);
            }
        }
        return next == null ? Supply.EMPTY : Supply.READY;
    }

    @Override
    public boolean failed(int queue) {
        return false;
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
        turn.returnShared(number, receive);
    }

    @Override
    public LocalMemory memory() {
        return memory;
    }

    @Override
    public void clear(Turn turn) {
        if (next != null) {
            turn.returnShared(number, next);
            next = null;
        }
    }
}
