// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.shard;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.hcaactors.fabric.uplink.Polling;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one shard, in the order in which a thread added them. Exactly one thread at a time runs them: the shard's own, or
 * while a {@link Drive} is open, only the thread that calls {@link Drive#progress}. What a task writes is visible to the next
 * one, whichever thread runs it. While a drive is open, or a thread of the program polls, adding a task wakes no thread.
 *
 * <p>Threads: any.
 */
public final class ShardTasks {
    /** Maximum number of tasks that one {@link #run} runs. */
    static final int MAX_RUN = 64;

    /** Time between two looks for the end of a task that runs when a drive is opened. */
    private static final long LOOK_NANOS = 100_000;

    /** Maximum number of these looks: at least 10 s in all. */
    private static final int MAX_LOOKS = 100_000;

    /**
     * Number of looks at the tasks before the shard's own thread parks, some 20 us in all; 0 on one processor. A program that
     * answers within that time is not slowed down by waking a thread for each answer.
     */
    private static final int LOOKS = Runtime.getRuntime().availableProcessors() > 1 ? 1000 : 0;

    /** Number of tasks after which those of other threads are taken over. */
    private static final int TAKEOVER = 16;

    /** Tasks that other threads added and the one that runs tasks has not taken over. */
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** Tasks in their order, of the thread that runs tasks: what it has taken over, and what tasks added. */
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();

    /** The thread that ran tasks last left some. */
    private volatile boolean someWait;

    /** A thread runs tasks. */
    private final AtomicBoolean held = new AtomicBoolean();

    /** The thread that runs tasks; another thread may see an old one, but never itself. */
    private @Nullable Thread holder;

    /** The thread that runs tasks was interrupted. */
    private boolean interrupted;

    /** The thread that runs what it adds itself; null if there is none. */
    private volatile @Nullable Thread assistant;

    /** The last poll of a thread of the program; null if none ever polled. */
    private volatile @Nullable Polling polling;

    /** The shard's own thread looks from time to time whether a thread of the program still polls. Else a poll wakes it, if it is parked. */
    private volatile boolean watches;

    private final Object changing = new Object();
    private volatile @Nullable Drive drive;
    private volatile @Nullable Own own;

    /**
     * The shard's own thread.
     *
     * @param parked it waits until it is woken
     */
    private record Own(Thread thread, AtomicBoolean parked) {
        void wake() {
            if (parked.get() && parked.compareAndSet(true, false)) {
                LockSupport.unpark(thread);
            }
        }
    }

    /** Starts the shard's own thread, and returns it; a previous one ends. */
    Thread start(ThreadFactory threads) {
        AtomicBoolean parked = new AtomicBoolean();
        Thread started = threads.newThread(() -> work(parked));
        synchronized (changing) {
            own = new Own(started, parked);
        }
        started.start();
        return started;
    }

    /** Ends that thread when it has run what was added. */
    void stop(Thread ending) {
        synchronized (changing) {
            Own current = own;
            if (current != null && current.thread == ending) {
                own = null;
            }
        }
        LockSupport.unpark(ending);
    }

    /** Adds a task. */
    void add(Runnable task) {
        if (isRunningHere()) {
            waiting.addLast(task);
            return;
        }
        tasks.add(task);
        wake();
    }

    /** Removes a task that no thread has taken over; returns false if it is not there. */
    boolean remove(Runnable task) {
        return tasks.remove(task);
    }

    /**
     * Runs an action, and then what it made ready, as the shard's own thread would: on the calling thread, unless another one runs
     * tasks. The shard's own thread is woken only if some are left. Not called in a task of this shard.
     */
    public void assist(Runnable adding) {
        assistant = Thread.currentThread();
        try {
            adding.run();
        } finally {
            assistant = null;
            if (drive == null && !isEmpty()) {
                run(null);
            }
            if (!isEmpty()) {
                wake();
            }
        }
    }

    /**
     * Runs what is ready on the calling thread, unless another one runs tasks. The shard's own thread leaves the tasks to those who poll, from
     * now on. Waits for nothing.
     *
     * @param by has noted the poll
     * @return number of tasks, at most {@value #MAX_RUN}
     */
    public int poll(Polling by) {
        polling = by;
        if (!watches) {
            wakeOwn();
        }
        return drive == null && !isEmpty() ? run(null) : 0;
    }

    /** Wakes the shard's own thread, which left its tasks to a thread that polls no more. */
    public void pollsNoMore() {
        if (drive == null && !isEmpty()) {
            wakeOwn();
        }
    }

    /** Wakes the thread that runs the tasks, if it waits to be woken. */
    private void wake() {
        Drive driving = drive;
        if (driving == null) {
            Polling polled = polling;
            if (assistant != Thread.currentThread() && (polled == null || !polled.finds())) {
                wakeOwn();
            }
        } else {
            driving.added();
        }
    }

    private void wakeOwn() {
        Own current = own;
        if (current != null) {
            current.wake();
        }
    }

    /** True if the calling thread runs a task of this shard. */
    boolean isRunningHere() {
        return holder == Thread.currentThread();
    }

    boolean isEmpty() {
        return tasks.isEmpty() && !someWait;
    }

    /**
     * Leaves the tasks to threads of the program. When it returns, the shard's own thread runs none any more. A drive whose
     * thread has ended is replaced.
     *
     * @param wakeup called once by the first task that is added after {@link Drive#requestWakeup}, on the thread that adds it;
     *     what it throws is logged
     * @throws IllegalStateException if a drive is open, in a task of this shard, or if a task that runs does not end within 10 s
     */
    public Drive drive(Optional<Runnable> wakeup) {
        if (isRunningHere()) {
            throw new IllegalStateException("a handler that runs on the shard can't drive it");
        }
        Drive opened = new Drive(this, wakeup);
        synchronized (changing) {
            Drive open = drive;
            if (open != null && !open.isAbandoned()) {
                throw new IllegalStateException("the program drives this shard already; close that driver first");
            }
            drive = opened;
        }
        for (int looks = 0; held.get(); looks++) {
            if (looks == MAX_LOOKS) {
                close(opened);
                throw new IllegalStateException("a handler that runs on the shard has not returned for 10 s");
            }
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
        return opened;
    }

    /** The shard's own thread continues. */
    void close(Drive closing) {
        synchronized (changing) {
            if (drive == closing) {
                drive = null;
            }
        }
        wakeOwn();
    }

    /**
     * Runs what is ready, at most {@link #MAX_RUN} tasks.
     *
     * @param by the drive of the calling thread; null for the shard's own
     * @return number of tasks; 0 also if another thread runs tasks, or is the one that may
     */
    int run(@Nullable Drive by) {
        if (held.get() || !held.compareAndSet(false, true)) {
            return 0;
        }
        holder = Thread.currentThread();
        int done = 0;
        try {
            for (Runnable next = next(done, by); next != null; next = next(done, by)) {
                done++;
                runOne(next);
            }
        } finally {
            Own current = own;
            release(by != null || current == null || current.thread != Thread.currentThread());
        }
        return done;
    }

    /**
     * Returns the next task; null if none is ready, {@link #MAX_RUN} were run, or another thread may run them now. Those of other
     * threads are taken over every {@link #TAKEOVER} tasks, behind those that wait.
     */
    private @Nullable Runnable next(int done, @Nullable Drive by) {
        if (done == MAX_RUN || drive != by) {
            return null;
        }
        if (done % TAKEOVER == 0) {
            for (Runnable other = tasks.poll(); other != null; other = tasks.poll()) {
                waiting.addLast(other);
            }
        }
        Runnable next = waiting.pollFirst();
        return next == null ? tasks.poll() : next;
    }

    /** @param keeping the thread keeps its interruption; the shard's own has no use for one */
    private void release(boolean keeping) {
        boolean interrupt = interrupted && keeping;
        interrupted = false;
        holder = null;
        someWait = !waiting.isEmpty();
        held.set(false);
        if (!isEmpty()) {
            // The thread that may run tasks may have found none, since this one had taken them over.
            wake();
        }
        if (interrupt) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Runs a task. An exception is reported as one of the shard's thread: it is none of who drives the shard. Pekko reports an
     * interruption by an exception between two messages of an actor, of which none is lost; the thread is interrupted again when
     * it has run its tasks.
     */
    private void runOne(Runnable task) {
        try {
            task.run();
        } catch (Throwable failed) {
            if (failed instanceof InterruptedException) {
                interrupted = true;
            } else {
                report(failed);
            }
        }
    }

    /** Reports an exception as one of the shard's own thread. */
    void report(Throwable failed) {
        Own current = own;
        Thread reported = current == null ? Thread.currentThread() : current.thread;
        reported.getUncaughtExceptionHandler().uncaughtException(reported, failed);
    }

    private void work(AtomicBoolean parked) {
        Thread self = Thread.currentThread();
        while (isOwn(self) || drive == null && !isEmpty()) {
            if (drive != null || isOwn(self) && isPolled() || run(null) == 0) {
                pause(self, parked);
            }
        }
    }

    private boolean isOwn(Thread self) {
        Own current = own;
        return current != null && current.thread == self;
    }

    private void pause(Thread self, AtomicBoolean parked) {
        for (int i = 0; i < LOOKS && drive == null && !isPolled(); i++) {
            if (isReady()) {
                return;
            }
            Thread.onSpinWait();
        }
        parked.set(true);
        while (parked.get() && isOwn(self) && !isReady()) {
            watches = false;
            long left = polledNanos();
            if (left > 0) {
                watches = true;
                LockSupport.parkNanos(this, left);
            } else {
                LockSupport.park(this);
            }
        }
        watches = false;
        parked.set(false);
    }

    /** True if the shard's own thread has something to do. */
    private boolean isReady() {
        return drive == null && !held.get() && !isEmpty() && !isPolled();
    }

    /** True if a thread of the program polls, and runs the tasks. */
    private boolean isPolled() {
        return polledNanos() > 0;
    }

    /** Returns the nanoseconds for which that holds without a further poll. */
    private long polledNanos() {
        Polling polled = polling;
        return polled == null ? 0 : polled.remainingNanos();
    }
}
