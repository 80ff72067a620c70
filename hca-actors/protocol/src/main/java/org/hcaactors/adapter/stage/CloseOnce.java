// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stage;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hcaactors.api.error.VerbsException;
import org.jspecify.annotations.Nullable;

/** Close of an object without an actor of its own. It is begun once; if it is refused, the object is open again. */
public final class CloseOnce {
    private @Nullable CompletableFuture<Void> closing;

    /**
     * Closes the object; a later call waits for the same close.
     *
     * @param go performs the close; its argument is the future that callers wait for
     */
    public CompletionStage<Void> close(Function<CompletableFuture<Void>, CompletionStage<Void>> go) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        CompletableFuture<Void> first = firstOf(end);
        return first == end ? begin(end, go) : first.minimalCompletionStage();
    }

    /** Closes the object; a later call is refused. */
    public CompletionStage<Void> startOrRefuse(
            Function<CompletableFuture<Void>, CompletionStage<Void>> go, Supplier<VerbsException> closed) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        return firstOf(end) == end ? begin(end, go) : CompletableFuture.failedStage(closed.get());
    }

    /** True if the object is closed, or is being closed. */
    public synchronized boolean isClosing() {
        return closing != null;
    }

    private synchronized CompletableFuture<Void> firstOf(CompletableFuture<Void> end) {
        if (closing == null) {
            closing = end;
        }
        return closing;
    }

    /** Runs outside of the monitor, since an action on the stage may run here and close other objects. */
    private CompletionStage<Void> begin(
            CompletableFuture<Void> end, Function<CompletableFuture<Void>, CompletionStage<Void>> go) {
        CompletionStage<Void> closed = go.apply(end).whenComplete((done, refused) -> {
            if (refused != null) {
                reopen();
            }
        });
        StageOutcome.of(closed, end);
        return end.minimalCompletionStage();
    }

    private synchronized void reopen() {
        closing = null;
    }
}
