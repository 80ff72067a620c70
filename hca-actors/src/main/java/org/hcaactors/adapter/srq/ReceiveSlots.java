package org.hcaactors.adapter.srq;

import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.adapter.completion.SlotOwner;

/**
 * The slots of a shared receive queue: one is taken by posting and free again when the receive's completion has been taken
 * from its completion queue. Any thread.
 */
final class ReceiveSlots implements SlotOwner {
    private final AtomicInteger outstanding = new AtomicInteger();
    private volatile int capacity;

    ReceiveSlots(int capacity) {
        this.capacity = capacity;
    }

    int capacity() {
        return capacity;
    }

    int outstanding() {
        return outstanding.get();
    }

    /** False if every slot is taken. */
    boolean take() {
        int taken;
        do {
            taken = outstanding.get();
            if (taken >= capacity) {
                return false;
            }
        } while (!outstanding.compareAndSet(taken, taken + 1));
        return true;
    }

    @Override
    public void release(int slots) {
        outstanding.getAndAdd(-slots);
    }

    /** False, and nothing changed, if more slots are taken than that. */
    boolean resize(int slots) {
        if (outstanding.get() > slots) {
            return false;
        }
        capacity = slots;
        return true;
    }
}
