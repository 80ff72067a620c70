// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.adapter.flow.NoReceive;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Packet;
import org.jspecify.annotations.Nullable;

/** Receives posted to a queue pair, in posting order. */
public final class ReceiveQueue implements QueuePairReceives {
    private static final @Nullable Receive[] NONE = {};

    private final LocalMemory memory;
    private final int mask;
    private @Nullable Receive[] buffers = NONE;
    private long head;
    private long tail;

    /** @param capacity a power of two, or 0 if no receive is ever posted */
    public ReceiveQueue(LocalMemory memory, int capacity) {
        this.memory = memory;
        this.mask = capacity - 1;
    }

    @Override
    public void add(Receive receive) {
        if (buffers.length == 0) {
            buffers = new Receive[mask + 1];
        }
        buffers[(int) tail++ & mask] = receive;
    }

    @Override
    public Supply supply(Packet first, Turn turn) {
        return head != tail ? Supply.READY : Supply.EMPTY;
    }

    @Override
    public NoReceive whyEmpty() {
        return NoReceive.NONE_IS_POSTED;
    }

    @Override
    public boolean hasNext() {
        return head != tail;
    }

    @Override
    public Receive next() {
        Receive next = head == tail ? null : buffers[(int) head & mask];
        if (next == null) {
            throw new IllegalStateException("no receive is posted");
        }
        return next;
    }

    @Override
    public void take() {
        buffers[(int) head++ & mask] = null;
    }

    @Override
    public void messageContinues(Turn turn) {}

    @Override
    public int skipped(Packet packet) {
        return 0;
    }

    @Override
    public boolean takesBack() {
        return true;
    }

    @Override
    public void takeBack(Receive receive) {
        buffers[(int) --head & mask] = receive;
    }

    @Override
    public void abandon(Receive receive, Turn turn) {}

    @Override
    public LocalMemory memory() {
        return memory;
    }

    @Override
    public void clear(Turn turn) {
        while (head != tail) {
            take();
        }
    }
}
