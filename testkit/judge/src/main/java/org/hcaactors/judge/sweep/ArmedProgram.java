// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import org.hcaactors.api.completion.CompletionChannel;
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
 * A program that arms a completion queue, polls it until it is empty, and waits as one thread; once that has ended, for the
 * queue's channel. A hasty one polls first and arms then. Between its steps it may be held up.
 */
final class ArmedProgram {
    private final World world;
    private final SplittableRandom random;
    private final CompletionQueue queue;
    private final Waiter thread;
    private final boolean hasty;

    /** A step that it is held up before. */
    private @Nullable Runnable heldUp;

    /** That its thread has ended. */
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

    /** Times that its thread was woken. */
    long wakes() {
        return wakes;
    }

    /** Virtual nanoseconds, the last time. */
    long armedAt() {
        return armedAt;
    }

    private boolean isGone() {
        return thread.state() == Waiter.State.GONE;
    }

    /** It loses what comes between its last poll and the arm. */
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

    /** Goes on where it was held up. */
    void goOn() {
        Runnable next = heldUp;
        heldUp = null;
        if (next != null) {
            next.run();
        }
    }

    /** Nobody holds it up from now on. */
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

    /** What was kept for a thread went with it: whoever finds that looks once more. */
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

    /** @param cause none: it was interrupted, or its thread has ended, and from now on its channel tells */
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
     * At rest; it does nothing more.
     *
     * @return completions that stand in its queue and nobody told it of
     */
    int left() {
        over = true;
        List<WorkCompletion> there = world.await(queue.poll(queue.capacity()));
        return there.size();
    }

    /** Completions that it polled. */
    int seen() {
        return seen;
    }
}
