// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stream;

import java.util.concurrent.Flow;

/** Refuses a subscriber, with the signals in the order that Reactive Streams demands. */
public final class DeclinedSubscription {
    /** A subscription without demand, whose cancel does nothing. */
    public static final Flow.Subscription NOTHING = new Flow.Subscription() {
        @Override
        public void request(long count) {}

        @Override
        public void cancel() {}
    };

    private DeclinedSubscription() {}

    public static void decline(Flow.Subscriber<?> subscriber, Throwable reason) {
        decline(new FlowOutlet<>(subscriber), reason);
    }

    public static void decline(Outlet<?> outlet, Throwable reason) {
        outlet.opened(NOTHING);
        outlet.failed(reason);
    }
}
