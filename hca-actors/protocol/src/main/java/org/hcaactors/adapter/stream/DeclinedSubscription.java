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

    public static void tell(Flow.Subscriber<?> subscriber, Throwable reason) {
        tell(new FlowOutlet<>(subscriber), reason);
    }

    public static void tell(Outlet<?> outlet, Throwable reason) {
        outlet.opened(NOTHING);
        outlet.failed(reason);
    }
}
