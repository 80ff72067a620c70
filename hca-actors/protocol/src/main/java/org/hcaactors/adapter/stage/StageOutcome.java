// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stage;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Transfer of a stage's outcome to a future that was returned before the stage existed. */
public final class StageOutcome {
    private StageOutcome() {}

    /** Completes {@code given} as {@code stage} completes, with the original failure: dependent stages wrap it. */
    public static <T> void of(CompletionStage<T> stage, CompletableFuture<T> given) {
        stage.whenComplete((value, failure) -> {
            if (failure == null) {
                given.complete(value);
            } else {
                given.completeExceptionally(itself(failure));
            }
        });
    }

    /** Runs {@code undo} if the stage fails; the returned stage completes afterwards. */
    public static <T> CompletionStage<T> undone(CompletionStage<T> stage, Runnable undo) {
        return stage.whenComplete((value, refused) -> {
            if (refused != null) {
                undo.run();
            }
        });
    }

    /** Returns the failure without the exception in which a dependent stage wraps it. */
    public static Throwable itself(Throwable failure) {
        return failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
    }
}
