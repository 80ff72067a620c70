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
import org.hcaactors.api.error.Verb;
import org.jspecify.annotations.Nullable;
import scala.concurrent.ExecutionContext;

/** The thread of a world, its run queue and its virtual time. Tasks from another thread are refused and noted. */
final class WorldCore {
    private static final int LEAKS_KEPT = 16;
    private static final String MATERIALIZERS = "Materializers";
    private static final ExecutionContext RIGHT_AWAY = ExecutionContexts.fromExecutor(Runnable::run);

    private volatile Thread owner = Thread.currentThread();
    private volatile @Nullable String stopped;
    private volatile boolean closed;
    private boolean over;
    private final RunQueue queue;
    /** Draws the pause of a program before its next step. */
    private final LongSupplier pauses;

    private final Hosts hosts = new Hosts(this);

    private final VirtualTime time = new VirtualTime();
    private final MessageInterceptor post = new MessageInterceptor();
    private final List<String> leaks = new ArrayList<>();
    private final ThreadLocal<@Nullable Boolean> refused = new ThreadLocal<>();
    private Runnable beforeTimePasses = () -> {};
    private boolean booted;
    private long steps;
    private boolean inStep;
    /** Steps of programs that become ready when their pauses are over. */
    private int paused;

    /** @param seed seed of the programs' pauses */
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

    /** Notes that the owner is about to close the world, and resumes all hosts. */
    void close() {
        closed = true;
        hosts.go();
    }

    /** Returns the hosts on which the programs run. */
    Hosts hosts() {
        return hosts;
    }

    /** Notes that the actor system has ended: tasks of programs that have not begun never run. */
    void over() {
        over = true;
    }

    boolean isOver() {
        return over;
    }

    boolean isClosed() {
        return closed;
    }

    /** Makes the calling thread the owner; another caller receives the reason from now on. */
    void stop(String reason) {
        stopped = reason;
        adopt();
    }

    /** True if tasks are ready or timers are set. */
    boolean hasWork() {
        return !queue.isEmpty() || time.hasTimer();
    }

    MessageInterceptor post() {
        return post;
    }

    RecordedSchedule recorded() {
        return queue.recorded();
    }

    /** Returns a context that runs a timer's action at its expiry, not as a task of its own. */
    ExecutionContext atOnce() {
        return RIGHT_AWAY;
    }

    /** Runs the action after that virtual time. */
    void after(long nanos, Runnable action) {
        time.schedule(nanos, -1, action, RIGHT_AWAY);
    }

    /** Adds an action that runs each time before virtual time advances, after the actions added earlier. */
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

    /** Returns the number of tasks run so far. */
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

    /** Runs a step of a program after the pause that is drawn for it. */
    void executeOfProgram(Runnable step) {
        executeOfProgram(Optional.empty(), step);
    }

    /** Returns an executor for the steps of that host's programs. */
    Executor programsOf(String host) {
        Optional<String> named = Optional.of(host);
        return step -> executeOfProgram(named, step);
    }

    /** @param host host of the program; empty if only the step identifies it, or nothing does */
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

    /** True if a step of a program is ready, or will be after its pause. */
    boolean hasStep() {
        return !queue.isEmpty() || paused > 0;
    }

    private static boolean isWokenByPekko(Mailbox mailbox) {
        return mailbox.actor() != null && !mailbox.hasMessages() && mailbox.hasSystemMessages();
    }

    /** Notes that the actor system has started and runs in this world from now on. */
    void booted() {
        booted = true;
    }

    /**
     * A caller that makes another materializer blocks until Pekko's guardian of materializers has answered. The guardian could
     * run only on this thread, so it runs at once.
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

    /**
     * Checks the calling thread.
     *
     * @throws RejectedExecutionException if another thread calls; it is also noted as a leak
     */
    void checkOwn(String what, Runnable task) {
        if (Thread.currentThread() != owner) {
            throw leak(what, ": " + task.getClass().getName());
        }
    }

    /** Runs one ready task; false if none is ready. */
    boolean step() {
        if (queue.isEmpty()) {
            return false;
        }
        steps++;
        boolean outer = inStep;
        inStep = true;
        try {
            queue.take().run();
        } finally {
            inStep = outer;
        }
        return true;
    }

    /** True while a task runs. */
    boolean isInStep() {
        return inStep;
    }

    void drain() {
        while (step()) {
            // each step may make others ready
        }
    }

    /** Advances time to the next timer, if it is due by {@code limit}; false if none is. */
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

    /** Throws RejectedExecutionException if another thread calls the verb. */
    void checkCaller(Verb verb) {
        if (!closed && Thread.currentThread() != owner) {
            throw leak("the verb " + verb, "");
        }
    }

    /**
     * Checks that no other thread has called.
     *
     * @throws WorldLeakException if one has
     */
    void checkLeaks() {
        synchronized (leaks) {
            if (!leaks.isEmpty()) {
                throw new WorldLeakException(String.join("; ", leaks));
            }
        }
    }

    /**
     * Pekko logs a refusal on the same thread. The log message would be refused in turn, endlessly, so only the first is
     * thrown.
     */
    private void leaked(Runnable task) {
        RejectedExecutionException refusal =
                leak("a task", ": " + task.getClass().getName());
        if (refused.get() == null) {
            refused.set(true);
            throw refusal;
        }
    }

    private RejectedExecutionException leak(String what, String detail) {
        String story = what + " from foreign thread " + Thread.currentThread().getName() + detail + RealTime.where();
        synchronized (leaks) {
            if (leaks.size() < LEAKS_KEPT && !leaks.contains(story)) {
                leaks.add(story);
            }
        }
        return new RejectedExecutionException("this world runs on one thread only; " + story);
    }
}
