package org.hcaactors.adapter.queue;

import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.adapter.completion.SlotOwner;

/** The free slots of one work queue, taken at post and given back when a completion is taken. Safe for several threads. */
final class Slots implements SlotOwner {
    private final AtomicInteger free;

    Slots(int count) {
        free = new AtomicInteger(count);
    }

    boolean take() {
        if (free.getAndDecrement() > 0) {
            return true;
        }
        free.getAndIncrement();
        return false;
    }

    @Override
    public void release(int slots) {
        free.getAndAdd(slots);
    }
}
