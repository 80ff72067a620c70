// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.Scheduler;
import scala.concurrent.ExecutionContext;

/**
 * Stages that complete after a time, by the timers of the network's actors, so that they use the network's clock.
 *
 * <p>Threads: any. Limits: {@link #MAX} pending at a time.
 */
final class Deadlines {
    /** Maximum number of pending deadlines. */
    static final int MAX = 1 << 20;

    /** Bounded because a scheduler counts its ticks, of at least a millisecond, in an int. */
    static final Duration LONGEST = Duration.ofDays(24);

    private final Scheduler scheduler;
    private final Executor callers;
    private final Set<CompletableFuture<Void>> open = new LinkedHashSet<>();
    private boolean closed;

    /** @param callers executor on which stages complete */
    Deadlines(Scheduler scheduler, Executor callers) {
        this.scheduler = scheduler;
        this.callers = callers;
    }

    /**
     * Returns a stage that completes on the callers' executor, as code of no host. Cancelling it cancels its timer.
     *
     * @throws IllegalStateException if the network is closed
     */
    CompletableFuture<Void> after(Duration time) {
        CompletableFuture<Void> end = after(time, callers);
        if (end.isCancelled()) {
            throw new IllegalStateException("this network is closed");
        }
        return end;
    }

    /**
     * As {@link #after(Duration)}, but the stage is cancelled if the network is closed.
     *
     * @param where executor on which it completes
     */
    CompletableFuture<Void> after(Duration time, Executor where) {
        if (time.isNegative() || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("the time of after() is " + time + "; 0 to " + LONGEST + " is allowed");
        }
        CompletableFuture<Void> end = opened();
        if (end.isCancelled()) {
            return end;
        }
        Cancellable timer =
                scheduler.scheduleOnce(time, () -> end.complete(null), ExecutionContext.fromExecutor(where));
        end.whenComplete((done, cancelled) -> {
            timer.cancel();
            forget(end);
        });
        return end;
    }

    private synchronized CompletableFuture<Void> opened() {
        CompletableFuture<Void> end = new CompletableFuture<>();
        if (closed) {
            end.cancel(false);
            return end;
        }
        if (open.size() == MAX) {
            throw new IllegalStateException(MAX + " deadlines are pending, the maximum");
        }
        open.add(end);
        return end;
    }

    private synchronized void forget(CompletableFuture<Void> end) {
        open.remove(end);
    }

    private synchronized List<CompletableFuture<Void>> closing() {
        closed = true;
        return List.copyOf(open);
    }

    /** Cancels all pending stages, on the callers' executor. */
    void close() {
        List<CompletableFuture<Void>> left = closing();
        if (!left.isEmpty()) {
            // One for all: a million of them, each with its stack trace, would fill a heap of 1 GiB.
            CancellationException networkClosed = new CancellationException("this network is closed");
            callers.execute(() -> left.forEach(end -> end.completeExceptionally(networkClosed)));
        }
    }
}
