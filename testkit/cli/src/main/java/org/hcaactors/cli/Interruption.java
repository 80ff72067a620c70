// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Handler of Ctrl-C in a long run: asks the run to end, and gives it time to report its results. The process then exits with
 * {@value #STATUS}, as shells expect, or with the status of a failure.
 */
final class Interruption implements AutoCloseable {
    /** 128 and the number of SIGINT. */
    static final int STATUS = 130;

    private static final int SECONDS = 90;

    private final CountDownLatch reported = new CountDownLatch(1);
    private final AtomicInteger status = new AtomicInteger(STATUS);
    private final Thread hook;
    private volatile boolean happened;

    private Interruption(Consumer<Interruption> end) {
        hook = new Thread(() -> end.accept(this), "interruption");
    }

    /** @param stop asks the run to end; called on another thread */
    static Interruption calling(Runnable stop) {
        return of(interruption -> interruption.end(stop));
    }

    /**
     * For a run that waits for another program, and so cannot be asked to end: it is left where it is, and the process ends as by SIGINT.
     *
     * @param report reports the results so far; called on another thread
     */
    static Interruption reporting(Runnable report) {
        return of(interruption -> report.run());
    }

    private static Interruption of(Consumer<Interruption> end) {
        Interruption interruption = new Interruption(end);
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    private void end(Runnable stop) {
        happened = true;
        stop.run();
        try {
            if (reported.await(SECONDS, TimeUnit.SECONDS)) {
                Runtime.getRuntime().halt(status.get());
            }
        } catch (InterruptedException again) {
            Thread.currentThread().interrupt();
        }
    }

    /** True once the run was asked to end. */
    boolean hasHappened() {
        return happened;
    }

    /** Notes that the run has reported its results; returns its status. */
    int reported(int itsOwn) {
        if (itsOwn != Hca.OK) {
            status.set(itsOwn);
        }
        return itsOwn;
    }

    @Override
    public void close() {
        reported.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException interrupted) {
            // The hook is running, and ends the process.
        }
    }
}
