// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.shard;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Permission of a program to run a shard's tasks on its own thread, until {@link #close}. Threads: any, one at a time. */
public final class Drive {
    private final ShardTasks tasks;
    private final Optional<Runnable> wakeup;

    /** The thread that called last. */
    private volatile Thread thread = Thread.currentThread();

    /** The next task calls {@link #wakeup}. */
    private final AtomicBoolean sleeping = new AtomicBoolean();

    Drive(ShardTasks tasks, Optional<Runnable> wakeup) {
        this.tasks = tasks;
        this.wakeup = wakeup;
    }

    /** Runs what is ready, at most {@value ShardTasks#MAX_RUN} tasks; returns their number. */
    public int progress() {
        Thread caller = Thread.currentThread();
        if (thread != caller) {
            thread = caller;
        }
        return tasks.isEmpty() ? 0 : tasks.run();
    }

    /** Returns the thread that called {@link #progress} last, or opened the drive. */
    public Thread thread() {
        return thread;
    }

    /** True if the calling thread runs a task of the shard. */
    public boolean isRunningHere() {
        return tasks.isRunningHere();
    }

    /**
     * Requests one wakeup by the next task. False if a task is ready; nothing is requested then.
     *
     * @throws IllegalStateException if there is no wakeup
     */
    public boolean requestWakeup() {
        if (wakeup.isEmpty()) {
            throw new IllegalStateException("the shard is driven without a wakeup");
        }
        sleeping.set(true);
        return tasks.isEmpty() || !sleeping.compareAndSet(true, false);
    }

    void added() {
        if (sleeping.get() && sleeping.compareAndSet(true, false)) {
            wakeup.ifPresent(this::wake);
        }
    }

    private void wake(Runnable wakeup) {
        try {
            wakeup.run();
        } catch (RuntimeException | Error failed) {
            tasks.report(failed);
        }
    }

    /** The shard's own thread runs its tasks again; idempotent. */
    public void close() {
        tasks.close(this);
    }
}
