package org.hcaactors.cli;

import java.time.Duration;

/** Runs from when it is first asked. */
final class Stopwatch {
    private final long nanos;
    private boolean running;
    private long begun;

    Stopwatch(Duration time) {
        nanos = time.toNanos();
    }

    synchronized boolean isOver() {
        if (!running) {
            running = true;
            begun = System.nanoTime();
        }
        return System.nanoTime() - begun >= nanos;
    }

    /** It was asked, and the time is not over. */
    synchronized boolean isRunning() {
        return running && !isOver();
    }

    /** Since it was first asked; 0 before. */
    synchronized long seconds() {
        return running ? (System.nanoTime() - begun) / 1_000_000_000L : 0;
    }
}
