// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.util.PriorityQueue;
import org.apache.pekko.actor.Cancellable;
import scala.concurrent.ExecutionContext;

/** Virtual clock in nanoseconds with timers; timers due at the same instant fire in the order in which they were set. */
final class VirtualTime {
    private static final int CANCELLED_KEPT = 1024;

    /** A future expiry; a repeating timer has one, for its next expiry. */
    private record Firing(long at, long sequence, Timer timer) implements Comparable<Firing> {
        @Override
        public int compareTo(Firing other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }
    }

    private final PriorityQueue<Firing> firings = new PriorityQueue<>();
    private long now;
    private long sequence;
    private int cancelled;

    long now() {
        return now;
    }

    boolean hasTimer() {
        dropCancelled();
        return !firings.isEmpty();
    }

    /** Returns when the next timer fires. Requires an armed timer. */
    long nextTimer() {
        dropCancelled();
        return firings.element().at;
    }

    /** Jumps to the next timer and fires it. */
    void fireNext() {
        dropCancelled();
        Firing next = firings.remove();
        advanceTo(next.at);
        next.timer.fire(next.at);
    }

    void advanceTo(long then) {
        now = Math.max(now, then);
    }

    /** @param periodNanos negative for a timer that fires once */
    Cancellable schedule(long delayNanos, long periodNanos, Runnable task, ExecutionContext where) {
        Timer timer = new Timer(periodNanos, task, where);
        firings.add(new Firing(later(now, Math.max(0, delayNanos)), sequence++, timer));
        return timer;
    }

    /** Adds, or returns the end of the clock if the sum overflows. */
    private static long later(long time, long nanos) {
        return nanos > Long.MAX_VALUE - time ? Long.MAX_VALUE : time + nanos;
    }

    private void dropCancelled() {
        while (!firings.isEmpty() && firings.element().timer.cancelled) {
            firings.remove();
            cancelled--;
        }
        if (cancelled > CANCELLED_KEPT && cancelled > firings.size() / 2) {
            firings.removeIf(firing -> firing.timer.cancelled);
            cancelled = 0;
        }
    }

    private final class Timer implements Cancellable {
        private final long periodNanos;
        private final Runnable task;
        private final ExecutionContext where;
        private boolean fired;
        private boolean cancelled;

        Timer(long periodNanos, Runnable task, ExecutionContext where) {
            this.periodNanos = periodNanos;
            this.task = task;
            this.where = where;
        }

        void fire(long at) {
            if (periodNanos < 0) {
                fired = true;
            } else {
                firings.add(new Firing(later(at, Math.max(1, periodNanos)), sequence++, this));
            }
            where.execute(task);
        }

        @Override
        public boolean cancel() {
            if (fired || cancelled) {
                return false;
            }
            cancelled = true;
            VirtualTime.this.cancelled++;
            return true;
        }

        @Override
        public boolean isCancelled() {
            return cancelled;
        }
    }
}
