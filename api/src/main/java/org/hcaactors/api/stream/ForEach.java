// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.stream;

import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Subscriber for an action; requests more elements when half of its window is consumed, so that demand is batched. If the
 * action throws, the subscription is cancelled, and the error handler receives the exception.
 */
final class ForEach<T> implements Flow.Subscriber<T> {
    static final int WINDOW = 128;

    private final Consumer<? super T> action;
    private final Consumer<Throwable> onError;
    private Flow.@Nullable Subscription subscription;
    private int consumed;
    private boolean failed;

    ForEach(Consumer<? super T> action, Consumer<Throwable> onError) {
        this.action = action;
        this.onError = onError;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        if (subscription != null) {
            given.cancel();
            return;
        }
        subscription = given;
        given.request(WINDOW);
    }

    @Override
    public void onNext(T element) {
        if (failed) {
            return;
        }
        try {
            action.accept(element);
        } catch (Throwable thrown) { // Throwable, because in Kotlin it may be a checked exception
            fail(thrown);
            throw thrown; // rethrown so that the publisher can report the failure
        }
        if (++consumed >= WINDOW / 2 && subscription != null) {
            subscription.request(consumed);
            consumed = 0;
        }
    }

    private void fail(Throwable thrown) {
        failed = true;
        if (subscription != null) {
            subscription.cancel();
        }
        onError.accept(thrown);
    }

    @Override
    public void onError(Throwable error) {
        if (!failed) {
            onError.accept(error);
        }
    }

    @Override
    public void onComplete() {}
}
