package org.hcaactors.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C during a long run: the run asks whether it came, ends at the next place where it can, and prints what it has so far;
 * only then the JVM goes, with the exit status of a signal.
 */
final class Interruption implements AutoCloseable {
    /** The longest that the JVM waits for a summary. */
    private static final int LONGEST_SECONDS = 20;

    private final CountDownLatch told = new CountDownLatch(1);
    private final Thread hook = new Thread(this::came, "interruption");
    private volatile boolean wanted;

    Interruption() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    boolean isWanted() {
        return wanted;
    }

    void came() {
        wanted = true;
        try {
            if (!told.await(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("no summary within " + LONGEST_SECONDS + " s");
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /** The summary is out. */
    @Override
    public void close() {
        told.countDown();
        if (!wanted) {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }
}
