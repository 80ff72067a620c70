// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.concurrent.Flow;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.DeviceContext;

/** Asynchronous events of a context. */
public class AsyncEventsTckTest extends StreamTck<AsyncEvent> {
    @Override
    public long maxElementsFromPublisher() {
        return MAX;
    }

    @Override
    public Flow.Publisher<AsyncEvent> createFlowPublisher(long elements) {
        Loopback loopback = loopback();
        for (int i = 0; i < elements; i++) {
            if (loopback.adapter.port(1).active()) {
                network().unplug(loopback.adapter);
            } else {
                network().plug(loopback.adapter);
            }
        }
        return new Finite<>(loopback.context.asyncEvents(), elements, loopback.context::closeAsync);
    }

    /** The events have a subscription already. */
    @Override
    public Flow.Publisher<AsyncEvent> createFailedFlowPublisher() {
        DeviceContext context = loopback().context;
        context.asyncEvents().subscribe(org.hcaactors.api.stream.Subscribers.forEach(event -> {}));
        return context.asyncEvents();
    }
}
