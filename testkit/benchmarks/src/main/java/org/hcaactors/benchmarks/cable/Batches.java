// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.cable;

import java.util.concurrent.TimeUnit;

/** Batches of requests in a closed loop: the next one is posted when an earlier one has ended. Threads: any. */
final class Batches {
    private static final long LONGEST_SECONDS = 60;

    private final int window;
    private final Runnable post;
    private long all;
    private long posted;
    private long ended;

    /**
     * Creates a loop.
     *
     * @param window batches in progress
     * @param post posts one
     */
    Batches(int window, Runnable post) {
        this.window = window;
        this.post = post;
    }

    /** Runs the given number of batches to their end. */
    synchronized void run(long batches) throws InterruptedException {
        all = batches;
        posted = 0;
        ended = 0;
        postNext();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_SECONDS);
        while (ended < all) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new IllegalStateException(ended + " of " + all + " batches ended in " + LONGEST_SECONDS + " s");
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    /** Records that one has ended. */
    synchronized void ended() {
        ended++;
        postNext();
        if (ended == all) {
            notifyAll();
        }
    }

    private void postNext() {
        while (posted < Math.min(all, ended + window)) {
            posted++;
            post.run();
        }
    }
}
