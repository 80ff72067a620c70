// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Subscriber that takes a number of elements, then cancels. */
final class TakesSome<T> implements Flow.Subscriber<T> {
    private final CompletableFuture<Integer> taken = new CompletableFuture<>();
    private final int requested;
    private int count;
    private Flow.@Nullable Subscription subscription;

    TakesSome(int requested) {
        this.requested = requested;
    }

    static <T> TakesSome<T> to(Flow.Publisher<T> publisher, int requested) {
        TakesSome<T> listener = new TakesSome<>(requested);
        publisher.subscribe(listener);
        return listener;
    }

    /** Completes when it has all of them; fails if the stream ends before. */
    CompletionStage<Integer> taken() {
        return taken;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        given.request(requested);
    }

    @Override
    public void onNext(T element) {
        if (++count == requested && subscription != null) {
            subscription.cancel();
            taken.complete(count);
        }
    }

    @Override
    public void onError(Throwable reason) {
        taken.completeExceptionally(reason);
    }

    @Override
    public void onComplete() {
        taken.completeExceptionally(
                new IllegalStateException("the stream ended after " + count + " of " + requested + " elements"));
    }
}
