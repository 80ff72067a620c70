// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stream;

import java.util.concurrent.Flow;
import java.util.function.BiConsumer;

/**
 * Outlet to a subscriber of a stream.
 *
 * @param threw called with the subscriber and what it throws
 */
public record FlowOutlet<E>(Flow.Subscriber<? super E> subscriber, BiConsumer<Object, Throwable> threw)
        implements Outlet<GrantedElements<E>> {
    public FlowOutlet(Flow.Subscriber<? super E> subscriber) {
        this(subscriber, (same, thrown) -> {});
    }

    @Override
    public void opened(Flow.Subscription subscription) {
        subscriber.onSubscribe(subscription);
    }

    @Override
    public boolean deliver(GrantedElements<E> granted, int index) {
        E element = granted.take(index);
        if (element == null) {
            return false;
        }
        subscriber.onNext(element);
        return true;
    }

    @Override
    public void threw(Throwable thrown) {
        threw.accept(subscriber, thrown);
    }

    @Override
    public void failed(Throwable reason) {
        subscriber.onError(reason);
    }

    @Override
    public void completed() {
        subscriber.onComplete();
    }
}
