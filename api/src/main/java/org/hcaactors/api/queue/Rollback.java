// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.handle.Handle;

/** Closes objects that a failed operation created, to which the caller has no handle. */
final class Rollback {
    private Rollback() {}

    /** Closes {@code made} if {@code rest} fails, and then returns the failure of {@code rest}. */
    static <T> CompletionStage<T> closing(Handle made, CompletionStage<T> rest) {
        return rest.exceptionallyCompose(reason -> made.closeAsync()
                .handle((closed, refused) -> CompletableFuture.<T>failedStage(reason))
                .thenCompose(failed -> failed));
    }
}
