// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.concurrent.Flow;

/** Passes a stream through and runs an action after that many elements, so that its source can be ended then. */
record Finite<T>(Flow.Publisher<T> source, long elements, Runnable end) implements Flow.Publisher<T> {
    @Override
    public void subscribe(Flow.Subscriber<? super T> subscriber) {
        if (subscriber == null) {
            source.subscribe(subscriber);
            return;
        }
        source.subscribe(new Flow.Subscriber<>() {
            private long left = elements;

            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                subscriber.onSubscribe(subscription);
                if (left == 0) {
                    end.run();
                }
            }

            @Override
            public void onNext(T element) {
                subscriber.onNext(element);
                if (--left == 0) {
                    end.run();
                }
            }

            @Override
            public void onError(Throwable error) {
                subscriber.onError(error);
            }

            @Override
            public void onComplete() {
                subscriber.onComplete();
            }
        });
    }
}
