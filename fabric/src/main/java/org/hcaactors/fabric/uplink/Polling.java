// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.uplink;

import java.util.function.LongSupplier;

/**
 * Time at which a thread of the program last ran what was ready in its network. While that is recent, the network's own threads leave the
 * work to it: they are not woken, and look from time to time whether it still polls.
 *
 * <p>Threads: any. Limits: a thread that polls less often than every {@value #RECENT_NANOS} ns counts as one that does not.
 */
public final class Polling {
    /** Nanoseconds after a poll in which the network's own threads leave the work to the one that polls, and between two of their looks. */
    public static final long RECENT_NANOS = 500_000;

    /** Shorter, so that work which wakes no thread is found by the next look of one. */
    private static final long UNWOKEN_NANOS = RECENT_NANOS / 2;

    private final LongSupplier clock;
    private volatile long last;

    /** @param clock nanoseconds, never going back */
    public Polling(LongSupplier clock) {
        this.clock = clock;
        end();
    }

    /** Notes that the calling thread polls. */
    public void note() {
        last = clock.getAsLong();
    }

    /** True if the network's own threads leave the work to one that polls. */
    public boolean isRecent() {
        return remainingNanos() > 0;
    }

    /** Returns the nanoseconds for which that holds without a further poll; 0 if it does not hold. */
    public long remainingNanos() {
        return Math.max(0, RECENT_NANOS - elapsed());
    }

    /** True if who adds work needs to wake no thread. */
    public boolean finds() {
        return elapsed() < UNWOKEN_NANOS;
    }

    private long elapsed() {
        return clock.getAsLong() - last;
    }

    /** The network's own threads do the work again. */
    public void end() {
        last = clock.getAsLong() - RECENT_NANOS;
    }
}
