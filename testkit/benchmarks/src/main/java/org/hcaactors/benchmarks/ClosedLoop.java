// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;

/**
 * Messages in a closed loop: the next one is posted when an earlier one has ended both at the sender and at the receiver, so
 * that it finds a receive whichever side is notified first. Threads: any.
 */
final class ClosedLoop {
    private final int window;
    private final IntConsumer post;
    private long all;
    private long posted;
    private long ended;
    private long arrived;
    private CountDownLatch done = new CountDownLatch(0);

    /**
     * Creates a loop.
     *
     * @param window messages in progress
     * @param post posts one; its argument is below the window and unique among the messages in progress
     */
    ClosedLoop(int window, IntConsumer post) {
        this.window = window;
        this.post = post;
    }

    /** Runs the given number of messages to their end. */
    void run(long messages) throws InterruptedException {
        begin(messages).await();
    }

    /** Starts the given number of messages; the latch opens when all have ended. */
    synchronized CountDownLatch begin(long messages) {
        all = messages;
        posted = 0;
        ended = 0;
        arrived = 0;
        done = new CountDownLatch(1);
        submitNext();
        return done;
    }

    /** Records that one has ended at its sender. */
    synchronized void ended() {
        ended++;
        submitNext();
    }

    /** Records that one has arrived at its receiver, which is ready for another. */
    synchronized void arrived() {
        arrived++;
        submitNext();
    }

    private void submitNext() {
        long over = Math.min(ended, arrived);
        while (posted < all && posted < over + window) {
            post.accept((int) (posted++ % window));
        }
        if (over == all) {
            done.countDown();
        }
    }
}
