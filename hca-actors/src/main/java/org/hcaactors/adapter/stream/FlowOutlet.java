// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stream;

import java.util.concurrent.Flow;

/** A subscriber of a stream. */
public record FlowOutlet<E>(Flow.Subscriber<? super E> subscriber) implements Outlet<Elements<E>> {
    @Override
    public void opened(Flow.Subscription subscription) {
        subscriber.onSubscribe(subscription);
    }

    @Override
    public boolean hand(Elements<E> granted, int index) {
        E element = granted.handOut(index);
        if (element == null) {
            return false;
        }
        subscriber.onNext(element);
        return true;
    }

    @Override
    public void failed(Throwable why) {
        subscriber.onError(why);
    }

    @Override
    public void over() {
        subscriber.onComplete();
    }
}
