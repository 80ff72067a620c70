// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Packet;
import org.jspecify.annotations.Nullable;

/**
 * Receives of a queue pair from a shared receive queue. It holds at most the one receive taken for the next message, and
 * never takes one ahead (rule receive-shared-order), since the order across queue pairs, the limit event and RNR would differ
 * from hardware's.
 */
public final class SrqReceives implements QueuePairReceives {
    private final SharedReceiveSource queue;
    private final LocalMemory memory;
    private @Nullable Receive next;

    /** @param memory access to memory in the shared receive queue's protection domain */
    public SrqReceives(SharedReceiveSource queue, LocalMemory memory) {
        this.queue = queue;
        this.memory = memory;
    }

    @Override
    public Supply supply(Packet first, Turn turn) {
        if (next == null) {
            next = queue.take();
            if (next != null) {
                queue.taken(next);
            }
        }
        return next == null ? Supply.EMPTY : Supply.READY;
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
        queue.putBack(receive);
    }

    @Override
    public LocalMemory memory() {
        return memory;
    }

    @Override
    public void clear(Turn turn) {
        if (next != null) {
            queue.putBack(next);
            next = null;
        }
    }
}
