// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.stream;

import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks again when half of its window is consumed, so that demand travels in batches. What its action throws ends the stream, as an error
 * of it: the subscription is cancelled, and the error handler is told.
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
        } catch (Throwable thrown) { // in Kotlin that may be a checked exception, too
            fail(thrown);
            throw thrown; // so that the publisher knows, and can tell who watches it
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
