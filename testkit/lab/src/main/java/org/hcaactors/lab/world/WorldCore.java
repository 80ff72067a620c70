package org.hcaactors.lab.world;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.dispatch.ExecutionContexts;
import scala.concurrent.ExecutionContext;

/** The one thread of a world, its run queue and its time. Whatever comes from another thread is refused and noted. */
final class WorldCore {
    private static final int LEAKS_KEPT = 16;
    private static final ExecutionContext RIGHT_AWAY = ExecutionContexts.fromExecutor(Runnable::run);

    private volatile Thread owner = Thread.currentThread();
    private final RunQueue queue;
    private final VirtualTime time = new VirtualTime();
    private final PostOffice post = new PostOffice();
    private final List<String> leaks = new ArrayList<>();
    private long steps;

    WorldCore(RunQueue queue) {
        this.queue = queue;
    }

    void adopt() {
        owner = Thread.currentThread();
    }

    PostOffice post() {
        return post;
    }

    RecordedSchedule recorded() {
        return queue.recorded();
    }

    /** Runs the action in the world's own time. */
    void after(long nanos, Runnable action) {
        time.schedule(nanos, -1, action, RIGHT_AWAY);
    }

    long now() {
        return time.now();
    }

    /** Tasks run so far. */
    long steps() {
        return steps;
    }

    void execute(Runnable task) {
        if (Thread.currentThread() != owner) {
            throw leak("a task", task);
        }
        queue.add(task);
    }

    Cancellable schedule(long delayNanos, long periodNanos, Runnable task, ExecutionContext where) {
        if (Thread.currentThread() != owner) {
            throw leak("a timer", task);
        }
        return time.schedule(delayNanos, periodNanos, task, where);
    }

    /** Runs what is ready, one task; false when nothing is. */
    boolean step() {
        if (queue.isEmpty()) {
            return false;
        }
        steps++;
        queue.take().run();
        return true;
    }

    void drain() {
        while (step()) {
            // each step may make others ready
        }
    }

    /** Lets time pass to the next timer, if it is due by {@code limit}; false if none is. */
    boolean passTime(long limit) {
        if (!time.hasTimer() || time.nextTimer() > limit) {
            return false;
        }
        time.fireNext();
        return true;
    }

    boolean hasTimer() {
        return time.hasTimer();
    }

    void advanceTo(long then) {
        time.advanceTo(then);
    }

    void checkThread() {
        if (Thread.currentThread() != owner) {
            throw new IllegalStateException("this world belongs to thread " + owner.getName() + ", not to "
                    + Thread.currentThread().getName());
        }
    }

    /** WorldLeakException if anything came from a foreign thread. */
    void checkLeaks() {
        synchronized (leaks) {
            if (!leaks.isEmpty()) {
                throw new WorldLeakException(String.join("; ", leaks));
            }
        }
    }

    private RejectedExecutionException leak(String what, Runnable task) {
        String story = what + " from foreign thread " + Thread.currentThread().getName() + ": "
                + task.getClass().getName();
        synchronized (leaks) {
            if (leaks.size() < LEAKS_KEPT) {
                leaks.add(story);
            }
        }
        return new RejectedExecutionException("this world runs on one thread only; " + story);
    }
}
