// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.pekko.actor.Cancellable;
import org.jspecify.annotations.Nullable;

/**
 * Threads of a program as steps of its world. Tasks wait for a thread in the order of submission, and each starts after the
 * pause that the world's {@link Pace} draws for it. Timers expire in virtual time. A task that has not begun when the process
 * ends never runs. Belongs to the world's thread.
 */
final class ProgramThreads extends AbstractExecutorService implements ScheduledExecutorService {
    /** Maximum tasks that wait for a thread, and maximum armed timers. */
    static final int MAX_WAITING = 1 << 20;

    private final WorldCore core;
    private final Optional<String> host;
    private final BooleanSupplier alive;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int idle;
    private int timers;
    private boolean shutDown;

    /**
     * @param host host on which the process runs; empty if unknown
     * @param alive true while the process lives
     */
    ProgramThreads(WorldCore core, Optional<String> host, BooleanSupplier alive, int threads) {
        this.core = core;
        this.host = host;
        this.alive = alive;
        idle = threads;
    }

    @Override
    public void execute(Runnable task) {
        checkOpen("a task", task);
        enter(task);
    }

    private void enter(Runnable task) {
        if (idle > 0) {
            idle--;
            core.executeOfProgram(host, () -> run(task));
        } else if (waiting.size() < MAX_WAITING) {
            waiting.add(task);
        } else {
            throw new RejectedExecutionException("the maximum of " + MAX_WAITING + " tasks already wait for a thread");
        }
    }

    /** Runs the task, then takes the next waiting one. */
    private void run(Runnable task) {
        try {
            if (alive.getAsBoolean()) {
                task.run();
            }
        } finally {
            Runnable next = waiting.poll();
            if (next == null) {
                idle++;
            } else {
                core.executeOfProgram(host, () -> run(next));
            }
        }
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        return schedule(Executors.callable(task), delay, unit);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
        return started(new Timed<>(task, Repeat.ONCE, 0), unit.toNanos(delay));
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long initialDelay, long period, TimeUnit unit) {
        return repeated(task, Repeat.AT_FIXED_RATE, initialDelay, period, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long initialDelay, long delay, TimeUnit unit) {
        return repeated(task, Repeat.WITH_FIXED_DELAY, initialDelay, delay, unit);
    }

    private ScheduledFuture<?> repeated(Runnable task, Repeat repeat, long first, long nanos, TimeUnit unit) {
        if (nanos <= 0) {
            throw new IllegalArgumentException("the period is " + nanos + " " + unit + "; more than 0 is allowed");
        }
        return started(new Timed<>(Executors.callable(task), repeat, unit.toNanos(nanos)), unit.toNanos(first));
    }

    private <V> Timed<V> started(Timed<V> timed, long delayNanos) {
        checkOpen("a timer", timed);
        timed.dueIn(Math.max(0, delayNanos));
        return timed;
    }

    private void checkOpen(String what, Runnable task) {
        core.checkOwn(what, task);
        if (shutDown) {
            throw new RejectedExecutionException("the threads of this program were shut down");
        }
    }

    /** Armed timers are not cancelled, as in a fork-join pool; waiting tasks still run. */
    @Override
    public void shutdown() {
        shutDown = true;
    }

    /** Discards and returns the tasks that have not begun. */
    @Override
    public List<Runnable> shutdownNow() {
        shutDown = true;
        List<Runnable> left = new ArrayList<>(waiting);
        waiting.clear();
        return left;
    }

    @Override
    public boolean isShutdown() {
        return shutDown;
    }

    @Override
    public boolean isTerminated() {
        return shutDown && waiting.isEmpty() && timers == 0;
    }

    /** Does not wait: the world advances only when its owner runs it. */
    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return isTerminated();
    }

    private enum Repeat {
        ONCE,
        AT_FIXED_RATE,
        WITH_FIXED_DELAY
    }

    /** A task that runs at a set time. */
    private final class Timed<V> extends FutureTask<V> implements ScheduledFuture<V> {
        private final Repeat repeat;
        private final long everyNanos;
        private long due;
        private @Nullable Cancellable timer;

        Timed(Callable<V> task, Repeat repeat, long everyNanos) {
            super(task);
            this.repeat = repeat;
            this.everyNanos = everyNanos;
        }

        void dueIn(long nanos) {
            if (timers == MAX_WAITING) {
                throw new RejectedExecutionException("the maximum of " + MAX_WAITING + " timers is already set");
            }
            timers++;
            due = core.now() + Math.min(nanos, Long.MAX_VALUE - core.now());
            timer = core.schedule(nanos, -1, this::isDue, core.atOnce());
        }

        private void isDue() {
            timers--;
            enter(this);
        }

        @Override
        public void run() {
            switch (repeat) {
                case ONCE -> super.run();
                case AT_FIXED_RATE -> runAgainIn(due + everyNanos - core.now());
                case WITH_FIXED_DELAY -> runAgainIn(everyNanos);
            }
        }

        private void runAgainIn(long nanos) {
            if (runAndReset() && !shutDown) {
                dueIn(Math.max(0, nanos));
            }
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            if (timer != null && timer.cancel()) {
                timers--;
            }
            return super.cancel(mayInterrupt);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(due - core.now(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }
}
