// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ctrl-C in a long run: it is asked to end, and has some time to tell how far it came. The process then ends with {@value
 * #STATUS}, as shells expect it, or with the status of what went wrong.
 */
final class Interruption implements AutoCloseable {
    /** 128 and SIGINT. */
    static final int STATUS = 130;

    private static final int SECONDS = 90;

    private final CountDownLatch told = new CountDownLatch(1);
    private final AtomicInteger status = new AtomicInteger(STATUS);
    private final Thread hook;
    private volatile boolean happened;

    private Interruption(Runnable stop) {
        hook = new Thread(() -> end(stop), "interruption");
    }

    /** @param stop asks the run to end; called from another thread */
    static Interruption calling(Runnable stop) {
        Interruption interruption = new Interruption(stop);
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    private void end(Runnable stop) {
        happened = true;
        stop.run();
        try {
            if (told.await(SECONDS, TimeUnit.SECONDS)) {
                Runtime.getRuntime().halt(status.get());
            }
        } catch (InterruptedException again) {
            Thread.currentThread().interrupt();
        }
    }

    /** From when on the run was asked to end. */
    boolean hasHappened() {
        return happened;
    }

    /** The run has told all that it has to tell: returns that status. */
    int told(int itsOwn) {
        if (itsOwn != Hca.OK) {
            status.set(itsOwn);
        }
        return itsOwn;
    }

    @Override
    public void close() {
        told.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException interrupted) {
            // The hook is running, and ends the process.
        }
    }
}
