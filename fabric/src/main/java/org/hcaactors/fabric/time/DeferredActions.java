// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.time;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;

/**
 * What an actor does later than it might, in the order of the times and, at one time, of the asking. Where nothing takes time it does
 * all at once, and holds nothing. It holds as much as it is asked for: whoever asks waits for the answer.
 */
public final class DeferredActions {
    private record Held(long at, long serial, Runnable act) {}

    private final LongSupplier clock;
    private final ActorTimer<?> alarm;
    private final PriorityQueue<Held> held =
            new PriorityQueue<>(Comparator.comparingLong(Held::at).thenComparingLong(Held::serial));
    private long serial;

    /** @param alarm of this alone; {@link #due} is called when its message comes */
    public DeferredActions(ActorTimer<?> alarm, LongSupplier clock) {
        this.clock = clock;
        this.alarm = alarm;
    }

    /** That is done so many nanoseconds from now; now, if there are none. */
    public void after(long nanos, Runnable act) {
        if (nanos == 0) {
            act.run();
            return;
        }
        long now = clock.getAsLong();
        held.add(new Held(now + nanos, serial++, act));
        alarm.arm(now, held.element().at);
    }

    /**
     * To be called when the message comes that it was made with. An act that throws keeps back none of the others: the message comes
     * again for these.
     */
    public void due() {
        alarm.fired();
        long now = clock.getAsLong();
        try {
            while (!held.isEmpty() && held.element().at <= now) {
                held.remove().act.run();
            }
        } finally {
            if (!held.isEmpty()) {
                alarm.arm(now, held.element().at);
            }
        }
    }

    /** All that is held is done now, also where an act throws: that is told when the others are done. */
    public void flush() {
        alarm.disarm();
        List<Throwable> thrown = new ArrayList<>();
        while (!held.isEmpty()) {
            try {
                held.remove().act.run();
            } catch (RuntimeException | AssertionError failed) {
                thrown.add(failed);
            }
        }
        if (!thrown.isEmpty()) {
            throw new IllegalStateException(
                    thrown.size() + " of the acts that were held back failed, the first one so", thrown.getFirst());
        }
    }
}
