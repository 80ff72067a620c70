// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stage;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hcaactors.api.error.VerbsException;
import org.jspecify.annotations.Nullable;

/** The end of an object that has no actor of its own: it is begun once, and where it is refused, the object is open again. */
public final class CloseOnce {
    private @Nullable CompletableFuture<Void> going;

    /**
     * Whoever comes later waits for the same end.
     *
     * @param go brings it about; given is the stage that callers wait for
     */
    public CompletionStage<Void> say(Function<CompletableFuture<Void>, CompletionStage<Void>> go) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        CompletableFuture<Void> first = firstOf(end);
        return first == end ? begin(end, go) : first.minimalCompletionStage();
    }

    /** Whoever comes later is refused. */
    public CompletionStage<Void> startOrRefuse(
            Function<CompletableFuture<Void>, CompletionStage<Void>> go, Supplier<VerbsException> closed) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        return firstOf(end) == end ? begin(end, go) : CompletableFuture.failedStage(closed.get());
    }

    /** It is closed, or will be unless that is refused. */
    public synchronized boolean isClosing() {
        return going != null;
    }

    private synchronized CompletableFuture<Void> firstOf(CompletableFuture<Void> end) {
        if (going == null) {
            going = end;
        }
        return going;
    }

    /** Outside the monitor: what waits for the end may run in here, and closes others. */
    private CompletionStage<Void> begin(
            CompletableFuture<Void> end, Function<CompletableFuture<Void>, CompletionStage<Void>> go) {
        CompletionStage<Void> gone = go.apply(end).whenComplete((done, refused) -> {
            if (refused != null) {
                stay();
            }
        });
        StageOutcome.of(gone, end);
        return end.minimalCompletionStage();
    }

    private synchronized void stay() {
        going = null;
    }
}
