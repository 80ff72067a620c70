// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionPoller;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CompletionQueue.Arm;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.completion.WakeCause;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.lab.world.World;
import org.jspecify.annotations.Nullable;

// rules notify-wakes, notify-latched, notify-gone
/**
 * Program that arms a completion queue, polls it until it is empty, and waits as one thread; after the thread has ended, it
 * waits on the queue's completion channel. A hasty program polls before it arms. It may be held up between its steps.
 */
final class ArmedProgram {
    private final World world;
    private final SplittableRandom random;
    private final CompletionQueue queue;
    private final CompletionPoller poller;
    private final Waiter thread;
    private final boolean hasty;

    /** The step before which the program is held up. */
    private @Nullable Runnable heldUp;

    /** True if the program knows that its thread has ended. */
    private boolean knows;

    private long armedAt;
    private boolean free;
    private boolean over;
    private int seen;
    private long wakes;

    ArmedProgram(
            World world,
            SplittableRandom random,
            CompletionQueue queue,
            Waiter thread,
            CompletionChannel channel,
            boolean hasty) {
        this.world = world;
        this.random = random;
        this.queue = queue;
        poller = queue.poller();
        this.thread = thread;
        this.hasty = hasty;
        channel.wakeups()
                .subscribe(Subscribers.forEach(
                        event -> {
                            if (isGone()) {
                                round();
                            }
                        },
                        reason -> {}));
    }

    CompletionQueue queue() {
        return queue;
    }

    Waiter thread() {
        return thread;
    }

    /** Returns how often its thread was woken. */
    long wakes() {
        return wakes;
    }

    /** Returns when the program last armed, in virtual nanoseconds. */
    long armedAt() {
        return armedAt;
    }

    private boolean isGone() {
        return thread.state() == Waiter.State.GONE;
    }

    /** True if the program arms after polling: it misses completions that arrive in between. */
    boolean isHasty() {
        return hasty;
    }

    void round() {
        if (over) {
            return;
        }
        if (hasty) {
            poll(() -> {
                arm();
                then(this::sleep);
            });
        } else {
            arm();
            then(() -> poll(() -> then(this::sleep)));
        }
    }

    /** Continues at the step where it was held up. */
    void goOn() {
        Runnable next = heldUp;
        heldUp = null;
        if (next != null) {
            next.run();
        }
    }

    /** Disables further hold-ups and continues. */
    void runFreely() {
        free = true;
        goOn();
    }

    private void then(Runnable next) {
        if (!free && heldUp == null && random.nextInt(4) == 0) {
            heldUp = next;
        } else {
            next.run();
        }
    }

    private void arm() {
        try {
            queue.arm(Arm.ANY);
            armedAt = world.now();
        } catch (VerbsException closed) {
            over = true;
        }
    }

    private void poll(Runnable whenEmpty) {
        if (random.nextBoolean()) {
            pollHere(whenEmpty);
            return;
        }
        queue.poll(1 + random.nextInt(4)).whenComplete((taken, refused) -> {
            if (refused != null) {
                over = true;
            } else if (taken.isEmpty()) {
                whenEmpty.run();
            } else {
                seen += taken.size();
                poll(whenEmpty);
            }
        });
    }

    /** Polls on this thread, without a stage. */
    private void pollHere(Runnable whenEmpty) {
        int taken;
        try {
            do {
                taken = poller.poll(1 + random.nextInt(4), completion -> {});
                seen += taken;
            } while (taken > 0);
        } catch (VerbsException refused) {
            over = true;
            return;
        }
        whenEmpty.run();
    }

    /** Waits. A wake-up latched for a thread is lost when the thread ends: a program that finds this polls once more. */
    private void sleep() {
        if (over) {
            return;
        }
        if (isGone()) {
            if (!knows) {
                knows = true;
                round();
            }
            return;
        }
        thread.await().whenComplete((cause, refused) -> woken(cause, refused));
    }

    /**
     * Continues after a wait.
     *
     * @param cause null if the wait was interrupted or the thread has ended; then the completion channel reports from now on
     */
    private void woken(@Nullable WakeCause cause, @Nullable Throwable refused) {
        wakes += cause == null ? 0 : 1;
        over |= !isGone() && isInVain(refused);
        round();
    }

    private static boolean isInVain(@Nullable Throwable refused) {
        return refused instanceof CompletionException wrapped
                && wrapped.getCause() instanceof VerbsException reason
                && reason.errno() != Errno.ECANCELED;
    }

    /**
     * Stops the program, at rest.
     *
     * @return completions in its queue for which no wake-up arrived
     */
    int left() {
        over = true;
        List<WorkCompletion> polled = world.await(queue.poll(queue.capacity()));
        return polled.size();
    }

    /** Returns how many completions it polled. */
    int seen() {
        return seen;
    }
}
