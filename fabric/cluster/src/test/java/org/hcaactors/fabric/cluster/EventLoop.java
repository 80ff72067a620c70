// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/** Events in virtual time. The same seed gives the same order. */
final class EventLoop {
    /** Time of a message between two nodes, drawn for each. */
    private static final long MIN_WAY_NANOS = 50_000;

    private static final long MAX_WAY_NANOS = 500_000;

    private record Event(long nanos, long number, Runnable task) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::nanos).thenComparingLong(Event::number));
    private final SplittableRandom random;
    private long now;
    private long number;

    EventLoop(long seed) {
        random = new SplittableRandom(seed);
    }

    long now() {
        return now;
    }

    /** Draws a number from 0, below the limit. */
    int draw(int limit) {
        return random.nextInt(limit);
    }

    void after(long nanos, Runnable task) {
        events.add(new Event(now + nanos, number++, task));
    }

    /** Runs the task after the time of a message. */
    void send(Runnable task) {
        after(random.nextLong(MIN_WAY_NANOS, MAX_WAY_NANOS), task);
    }

    /**
     * Runs the task after the time of a message, and not before others that came by the same way.
     *
     * @param last arrival of the last one
     * @return the arrival of this one
     */
    long send(long last, Runnable task) {
        long arrival = Math.max(last, now + random.nextLong(MIN_WAY_NANOS, MAX_WAY_NANOS));
        after(arrival - now, task);
        return arrival;
    }

    /** Runs the task again and again, first at a drawn time of the first period. */
    void every(Duration period, Runnable task) {
        after(random.nextLong(period.toNanos()), () -> repeat(period.toNanos(), task));
    }

    private void repeat(long nanos, Runnable task) {
        task.run();
        after(nanos, () -> repeat(nanos, task));
    }

    void runFor(Duration time) {
        long end = now + time.toNanos();
        while (!events.isEmpty() && events.element().nanos <= end) {
            Event next = events.remove();
            now = next.nanos;
            next.task.run();
        }
        now = end;
    }
}
