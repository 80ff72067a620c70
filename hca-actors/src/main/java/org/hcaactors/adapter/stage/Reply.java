package org.hcaactors.adapter.stage;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * The answer to one verb. It is given by a device actor and taken on the caller's executor, so that what the caller hangs
 * on the stage never runs on the adapter's thread.
 */
public final class Reply<T> {
    private final CompletableFuture<T> future = new CompletableFuture<>();
    private final Executor callers;

    public Reply(Executor callers) {
        this.callers = callers;
    }

    /** Completing or cancelling it from outside changes nothing here. */
    public CompletionStage<T> stage() {
        return future.minimalCompletionStage();
    }

    public void succeed(T value) {
        callers.execute(() -> future.complete(value));
    }

    /** @param taken called when the actions that hang on the stage have run */
    public void succeed(T value, Runnable taken) {
        callers.execute(() -> {
            future.complete(value);
            taken.run();
        });
    }

    /** The answer of a verb that answers with nothing. */
    @SuppressWarnings("NullAway") // a Void has no other value
    public static void done(Reply<Void> reply) {
        reply.succeed(null);
    }

    public void fail(Throwable why) {
        callers.execute(() -> future.completeExceptionally(why));
    }
}
