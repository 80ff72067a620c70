// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.stream;

import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Asks again when half of its window is consumed, so that demand travels in batches. */
final class ForEach<T> implements Flow.Subscriber<T> {
    static final int WINDOW = 128;

    private final Consumer<? super T> action;
    private final Consumer<Throwable> onError;
    private Flow.@Nullable Subscription subscription;
    private int consumed;

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
        action.accept(element);
        if (++consumed >= WINDOW / 2 && subscription != null) {
            subscription.request(consumed);
            consumed = 0;
        }
    }

    @Override
    public void onError(Throwable error) {
        onError.accept(error);
    }

    @Override
    public void onComplete() {}
}
