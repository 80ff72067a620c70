// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Progress of a long run on a terminal. Shows nothing if stderr is not a terminal; the launcher sets a property if it is one.
 */
final class Progress implements AutoCloseable {
    private static final String ON_TERMINAL = "hca.terminal";
    private static final int EVERY_MILLIS = 250;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "progress");
        thread.setDaemon(true);
        return thread;
    });
    private final AtomicInteger longest = new AtomicInteger();
    private final boolean shown;

    /** @param requested false to show nothing */
    Progress(boolean requested, long all, LongSupplier done) {
        this(requested, () -> String.format("%3d%%", 100 * done.getAsLong() / Math.max(1, all)));
    }

    /**
     * @param requested false to show nothing
     * @param line returns one line
     */
    Progress(boolean requested, Supplier<String> line) {
        shown = requested && Boolean.getBoolean(ON_TERMINAL);
        if (shown) {
            timer.scheduleAtFixedRate(() -> print(line.get()), EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void print(String line) {
        System.err.print("\r" + line + " ".repeat(Math.max(0, longest.get() - line.length())));
        longest.accumulateAndGet(line.length(), Math::max);
    }

    @Override
    public void close() {
        timer.shutdownNow();
        if (shown) {
            System.err.print("\r" + " ".repeat(longest.get() + 1) + "\r");
        }
    }
}
