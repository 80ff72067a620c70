// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.time.Duration;

/** Runs from when it is first asked. */
final class Stopwatch {
    private final long nanos;
    private boolean running;
    private long begun;
    private long lastAsked;

    Stopwatch(Duration time) {
        nanos = time.toNanos();
    }

    synchronized boolean isOver() {
        if (!running) {
            running = true;
            begun = System.nanoTime();
        }
        lastAsked = System.nanoTime();
        return lastAsked - begun >= nanos;
    }

    /** It was asked, and the time is not over. */
    synchronized boolean isRunning() {
        return running && !isOver();
    }

    /** Between the first and the last time that it was asked whether it is over. */
    synchronized Duration asked() {
        return running ? Duration.ofNanos(lastAsked - begun) : Duration.ZERO;
    }

    /** Since it was first asked; 0 before. */
    synchronized long seconds() {
        return running ? (System.nanoTime() - begun) / 1_000_000_000L : 0;
    }
}
