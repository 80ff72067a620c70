// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.shard;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Permission of a program to run a shard's tasks on its own thread, until {@link #close}. Threads: any, one at a time. */
public final class Drive {
    private static final Logger LOG = LoggerFactory.getLogger(Drive.class);

    private final ShardTasks tasks;
    private final Optional<Runnable> wakeup;

    /** The thread that drives; null while none has begun. */
    private volatile @Nullable Thread thread;

    /** The next task calls {@link #wakeup}. */
    private final AtomicBoolean sleeping = new AtomicBoolean();

    /** @param wakeup without one, the calling thread drives from now on; else the first that calls {@link #progress} */
    Drive(ShardTasks tasks, Optional<Runnable> wakeup) {
        this.tasks = tasks;
        this.wakeup = wakeup;
        thread = wakeup.isPresent() ? null : Thread.currentThread();
    }

    /** Runs what is ready, at most {@value ShardTasks#MAX_RUN} tasks; returns their number. The calling thread drives from now on. */
    public int progress() {
        Thread caller = Thread.currentThread();
        if (thread != caller) {
            thread = caller;
        }
        return run();
    }

    /** The same, for a thread that waits, as long as no other has begun to drive. */
    public int progressOf(Thread waiting) {
        return thread == waiting ? run() : 0;
    }

    private int run() {
        return tasks.isEmpty() ? 0 : tasks.run(this);
    }

    /** Returns the thread that called {@link #progress} last, or opened the drive; empty if none has begun. */
    public Optional<Thread> thread() {
        return Optional.ofNullable(thread);
    }

    /** True if the thread that drives has ended. */
    public boolean isAbandoned() {
        Thread driving = thread;
        return driving != null && !driving.isAlive();
    }

    /** Adds a task to the shard. */
    public void add(Runnable task) {
        tasks.add(task);
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
            LOG.error("the wakeup of a driven shard failed", failed);
        }
    }

    /** The shard's own thread runs its tasks again; idempotent. */
    public void close() {
        tasks.close(this);
    }
}
