// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.handle.Handle;

/** What was made on the way to something that failed in the end: nobody has a handle to it. */
final class Rollback {
    private Rollback() {}

    /** Where the rest fails, {@code made} is closed before the failure is told. */
    static <T> CompletionStage<T> closing(Handle made, CompletionStage<T> rest) {
        return rest.exceptionallyCompose(reason -> made.closeAsync()
                .handle((closed, refused) -> CompletableFuture.<T>failedStage(reason))
                .thenCompose(told -> told));
    }
}
