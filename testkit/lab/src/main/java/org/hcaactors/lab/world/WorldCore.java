// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.ActorPath;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.dispatch.ExecutionContexts;
import org.apache.pekko.dispatch.Mailbox;
import org.jspecify.annotations.Nullable;
import scala.concurrent.ExecutionContext;

/** The one thread of a world, its run queue and its time. Whatever comes from another thread is refused and noted. */
final class WorldCore {
    private static final int LEAKS_KEPT = 16;
    private static final String MATERIALIZERS = "Materializers";
    private static final ExecutionContext RIGHT_AWAY = ExecutionContexts.fromExecutor(Runnable::run);

    private volatile Thread owner = Thread.currentThread();
    private volatile @Nullable String stopped;
    private volatile boolean closed;
    private boolean over;
    private final RunQueue queue;
    /** How long a program takes before its next step. */
    private final LongSupplier pauses;

    private final Hosts hosts = new Hosts(this);

    private final VirtualTime time = new VirtualTime();
    private final MessageInterceptor post = new MessageInterceptor();
    private final List<String> leaks = new ArrayList<>();
    private final ThreadLocal<@Nullable Boolean> refused = new ThreadLocal<>();
    private Runnable beforeTimePasses = () -> {};
    private boolean booted;
    private long steps;
    /** Steps of programs that are due when their pauses are over. */
    private int paused;

    /** @param seed of the pauses of its programs */
    WorldCore(RunQueue queue, Pace pace, long seed) {
        this.queue = queue;
        pauses = pace.pauses(seed);
    }

    void adopt() {
        owner = Thread.currentThread();
    }

    Thread owner() {
        return owner;
    }

    /** Its owner is about to end it. */
    void close() {
        closed = true;
        hosts.go();
    }

    /** The hosts on which its programs run. */
    Hosts hosts() {
        return hosts;
    }

    /** Its actor system is gone: what programs have not begun never begins. */
    void over() {
        over = true;
    }

    boolean isOver() {
        return over;
    }

    boolean isClosed() {
        return closed;
    }

    /** It belongs to the calling thread; whoever else wants something of it from now on is told why not. */
    void stop(String reason) {
        stopped = reason;
        adopt();
    }

    /** Tasks are ready, or timers are set. */
    boolean hasWork() {
        return !queue.isEmpty() || time.hasTimer();
    }

    MessageInterceptor post() {
        return post;
    }

    RecordedSchedule recorded() {
        return queue.recorded();
    }

    /** Where what a timer does is done when it is due, and not as a task of its own. */
    ExecutionContext atOnce() {
        return RIGHT_AWAY;
    }

    /** Runs the action in the world's own time. */
    void after(long nanos, Runnable action) {
        time.schedule(nanos, -1, action, RIGHT_AWAY);
    }

    /** Besides what was asked for before. */
    void beforeTimePasses(Runnable action) {
        Runnable before = beforeTimePasses;
        beforeTimePasses = () -> {
            before.run();
            action.run();
        };
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
            leaked(task);
            return;
        }
        if (booted && task instanceof Mailbox mailbox && isMaterializers(mailbox)) {
            mailbox.run();
        } else if (task instanceof Mailbox mailbox && isWokenByPekko(mailbox)) {
            queue.addByPath(mailbox);
        } else {
            queue.add(task);
        }
    }

    /** A step of a program's, which takes it the time that is drawn for it. */
    void executeOfProgram(Runnable step) {
        executeOfProgram(Optional.empty(), step);
    }

    /** Where steps of programs of that host run. */
    Executor programsOf(String host) {
        Optional<String> named = Optional.of(host);
        return step -> executeOfProgram(named, step);
    }

    /** @param host whose program it is; empty where only the step tells, or nobody */
    void executeOfProgram(Optional<String> host, Runnable step) {
        boolean ofPekko = step instanceof Mailbox mailbox && (isMaterializers(mailbox) || isWokenByPekko(mailbox));
        if (!booted || closed || ofPekko || Thread.currentThread() != owner) {
            execute(step);
            return;
        }
        long pause = pauses.getAsLong() + hosts.slowness(host, step);
        if (pause == 0) {
            hosts.run(host, step);
        } else {
            paused++;
            time.schedule(pause, -1, () -> afterPause(host, step), RIGHT_AWAY);
        }
    }

    private void afterPause(Optional<String> host, Runnable step) {
        paused--;
        hosts.run(host, step);
    }

    /** A step of a program's is ready, or due when its pause is over. */
    boolean hasStep() {
        return !queue.isEmpty() || paused > 0;
    }

    private static boolean isWokenByPekko(Mailbox mailbox) {
        return mailbox.actor() != null && !mailbox.hasMessages() && mailbox.hasSystemMessages();
    }

    /** From now on the owner lets the world go on, not the actor system that starts. */
    void booted() {
        booted = true;
    }

    /**
     * Who makes another materializer blocks until Pekko's guardian of them has answered, on the one thread on which the guardian
     * could run: so it runs while it is asked.
     */
    private static boolean isMaterializers(Mailbox mailbox) {
        ActorPath path = mailbox.actor() == null ? null : mailbox.actor().self().path();
        return path != null
                && path.name().equals(MATERIALIZERS)
                && path.parent().name().equals("system");
    }

    Cancellable schedule(long delayNanos, long periodNanos, Runnable task, ExecutionContext where) {
        checkOwn("a timer", task);
        return time.schedule(delayNanos, periodNanos, task, where);
    }

    /** RejectedExecutionException, and noted, if it comes from a foreign thread. */
    void checkOwn(String what, Runnable task) {
        if (Thread.currentThread() != owner) {
            throw leak(what, task);
        }
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
        beforeTimePasses.run();
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
            if (stopped != null) {
                throw new IllegalStateException(stopped);
            }
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

    /** Refusing makes Pekko log, on the same thread, which would be refused in its turn, and so on. */
    private void leaked(Runnable task) {
        RejectedExecutionException refusal = leak("a task", task);
        if (refused.get() == null) {
            refused.set(true);
            throw refusal;
        }
    }

    private RejectedExecutionException leak(String what, Runnable task) {
        String story = what + " from foreign thread " + Thread.currentThread().getName() + ": "
                + task.getClass().getName() + RealTime.where();
        synchronized (leaks) {
            if (leaks.size() < LEAKS_KEPT && !leaks.contains(story)) {
                leaks.add(story);
            }
        }
        return new RejectedExecutionException("this world runs on one thread only; " + story);
    }
}
