// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.hcaactors.actors.stage.Callers;

/** Timers of one process, which end with it. Any thread. */
final class ProcessTimers {
    private final Set<CompletableFuture<Void>> pending = new LinkedHashSet<>();
    private boolean ended;

    CompletionStage<Void> start(Duration time, Callers callers) {
        CompletableFuture<Void> timer =
                hasEnded() ? new CompletableFuture<>() : callers.waiting().after(time, callers);
        if (add(timer)) {
            timer.whenComplete((done, cancelled) -> remove(timer));
        } else {
            timer.cancel(false);
        }
        return timer;
    }

    private synchronized boolean hasEnded() {
        return ended;
    }

    private synchronized boolean add(CompletableFuture<Void> timer) {
        return !ended && pending.add(timer);
    }

    private synchronized void remove(CompletableFuture<Void> timer) {
        pending.remove(timer);
    }

    private synchronized List<CompletableFuture<Void>> ending() {
        ended = true;
        return List.copyOf(pending);
    }

    /** Cancels the pending timers on that executor: what follows them is code of the program. */
    void end(Executor callers) {
        List<CompletableFuture<Void>> left = ending();
        if (!left.isEmpty()) {
            callers.execute(() -> left.forEach(timer -> timer.cancel(false)));
        }
    }
}
