// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Sequential closing of objects; a failure does not keep the others from closing. */
final class SequentialClose {
    private SequentialClose() {}

    /** Returns a stage that completes when the last one has ended; fails with the first failure. */
    static <T> CompletionStage<Void> each(List<T> all, Function<T, CompletionStage<Void>> end) {
        CompletionStage<Void> last = CompletableFuture.completedStage(null);
        for (T one : all) {
            last = last.handle((done, failure) -> failure == null ? end.apply(one) : failing(end.apply(one), failure))
                    .thenCompose(Function.identity());
        }
        return last;
    }

    private static CompletionStage<Void> failing(CompletionStage<Void> last, Throwable first) {
        return last.handle((done, failure) -> CompletableFuture.<Void>failedStage(first))
                .thenCompose(Function.identity());
    }
}
