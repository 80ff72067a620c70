// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stream;

import java.util.concurrent.Flow;

/** Tells a subscriber that it can't be served, in the order that Reactive Streams wants. */
public final class DeclinedSubscription {
    private static final Flow.Subscription NOTHING = new Flow.Subscription() {
        @Override
        public void request(long count) {}

        @Override
        public void cancel() {}
    };

    private DeclinedSubscription() {}

    public static void tell(Flow.Subscriber<?> subscriber, Throwable why) {
        subscriber.onSubscribe(NOTHING);
        subscriber.onError(why);
    }
}
