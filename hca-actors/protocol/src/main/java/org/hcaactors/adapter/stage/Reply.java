// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stage;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hcaactors.mutation.MutationPoint;

/**
 * Answer to one verb, given once; a later answer is ignored. A device actor gives it, and the caller's executor completes the
 * stage, so that actions on the stage never run on the adapter's thread.
 */
public final class Reply<T> {
    private static final Runnable NOTHING = () -> {};

    private final CompletableFuture<T> future = new CompletableFuture<>();
    private final AtomicBoolean answered = new AtomicBoolean();
    private final Executor callers;

    public Reply(Executor callers) {
        this.callers = callers;
    }

    /** Future that is done when the answer has been taken. */
    public Future<T> future() {
        return future;
    }

    /** Stage for the caller; completing or cancelling it has no effect here. */
    public CompletionStage<T> stage() {
        return future.minimalCompletionStage();
    }

    public void succeed(T value) {
        succeed(value, NOTHING);
    }

    /** @param taken called after the actions on the stage have run */
    public void succeed(T value, Runnable taken) {
        succeed(value, NOTHING, taken);
    }

    /**
     * @param before called on the same thread before the actions on the stage
     * @param taken called after them
     */
    public void succeed(T value, Runnable before, Runnable taken) {
        if (answered.compareAndSet(false, true)) {
            callers.execute(() -> {
                before.run();
                future.complete(value);
                taken.run();
            });
        }
    }

    /** Answers a verb that returns no value. */
    @SuppressWarnings("NullAway") // a Void has no other value
    public static void done(Reply<Void> reply) {
        reply.succeed(null);
    }

    @MutationPoint("reply.fail")
    public void fail(Throwable reason) {
        if (answered.compareAndSet(false, true)) {
            callers.execute(() -> future.completeExceptionally(reason));
        }
    }
}
