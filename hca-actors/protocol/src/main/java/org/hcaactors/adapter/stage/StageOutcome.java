// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stage;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** What comes of a stage, told to a future that was given out before there was one. */
public final class StageOutcome {
    private StageOutcome() {}

    /** {@code given} ends as {@code stage} does, with the failure itself: stages that depend on others wrap it. */
    public static <T> void of(CompletionStage<T> stage, CompletableFuture<T> given) {
        stage.whenComplete((value, failure) -> {
            if (failure == null) {
                given.complete(value);
            } else {
                given.completeExceptionally(itself(failure));
            }
        });
    }

    /** Undoes what was done for it, where it is refused; the stage that ends after that. */
    public static <T> CompletionStage<T> undone(CompletionStage<T> stage, Runnable undo) {
        return stage.whenComplete((value, refused) -> {
            if (refused != null) {
                undo.run();
            }
        });
    }

    private static Throwable itself(Throwable failure) {
        return failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
    }
}
