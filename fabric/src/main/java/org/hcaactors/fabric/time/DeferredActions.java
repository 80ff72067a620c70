// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.time;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;

/**
 * Actions that an actor delays, in the order of their times and, at equal times, of the calls. Without delay an action runs at
 * once, and nothing is stored. The number of actions is not limited here: their callers wait for them.
 */
public final class DeferredActions {
    private record Held(long at, long serial, Runnable act) {}

    private final LongSupplier clock;
    private final ActorTimer<?> alarm;
    private final PriorityQueue<Held> held =
            new PriorityQueue<>(Comparator.comparingLong(Held::at).thenComparingLong(Held::serial));
    private long serial;

    /** @param alarm used by this object only; call {@link #due} when its message arrives */
    public DeferredActions(ActorTimer<?> alarm, LongSupplier clock) {
        this.clock = clock;
        this.alarm = alarm;
    }

    /** Runs the action after the given number of nanoseconds; at once for 0. */
    public void after(long nanos, Runnable act) {
        if (nanos == 0) {
            act.run();
            return;
        }
        long now = clock.getAsLong();
        held.add(new Held(now + nanos, serial++, act));
        alarm.arm(now, held.element().at);
    }

    /** Call it when the message of the timer arrives. If an action throws, the timer is armed again for the remaining ones. */
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

    /** Runs all actions now. If some throw, the others still run, and an exception is thrown afterwards. */
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
                    thrown.size() + " deferred actions failed; the cause is the first failure", thrown.getFirst());
        }
    }
}
