// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

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
    private final boolean shown;

    /** @param requested false to show nothing */
    Progress(boolean requested, long all, LongSupplier done) {
        shown = requested && Boolean.getBoolean(ON_TERMINAL);
        if (shown) {
            timer.scheduleAtFixedRate(
                    () -> System.err.printf("\r%3d%%", 100 * done.getAsLong() / Math.max(1, all)),
                    EVERY_MILLIS,
                    EVERY_MILLIS,
                    TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
        if (shown) {
            System.err.print("\r     \r");
        }
    }
}
