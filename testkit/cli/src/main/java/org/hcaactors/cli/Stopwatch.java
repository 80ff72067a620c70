// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.time.Duration;

/** A stopwatch that starts at the first query. */
final class Stopwatch {
    private final long nanos;
    private boolean running;
    private long begun;
    private long lastQuery;

    Stopwatch(Duration time) {
        nanos = time.toNanos();
    }

    synchronized boolean isOver() {
        if (!running) {
            running = true;
            begun = System.nanoTime();
        }
        lastQuery = System.nanoTime();
        return lastQuery - begun >= nanos;
    }

    /** True after the first query, until the time is over. */
    synchronized boolean isRunning() {
        return running && !isOver();
    }

    /** Returns the time between the first and the last query of {@link #isOver}. */
    synchronized Duration queriedFor() {
        return running ? Duration.ofNanos(lastQuery - begun) : Duration.ZERO;
    }

    /** Returns the seconds since the first query; 0 before. */
    synchronized long seconds() {
        return running ? (System.nanoTime() - begun) / 1_000_000_000L : 0;
    }
}
