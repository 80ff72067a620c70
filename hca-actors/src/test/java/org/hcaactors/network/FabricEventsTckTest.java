// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.concurrent.Flow;
import org.hcaactors.fabric.flow.FabricEvent;

/** Events of the fabric. */
public class FabricEventsTckTest extends StreamTck<FabricEvent> {
    /** The stream ends when the watch is closed, after the existing events. */
    @Override
    public long maxElementsFromPublisher() {
        return publisherUnableToSignalOnComplete();
    }

    @Override
    public Flow.Publisher<FabricEvent> createFlowPublisher(long elements) {
        Loopback loopback = loopback();
        FabricWatch watch = network().watch(1000);
        loopback.complete((int) Math.min(elements, MAX));
        return watch.events();
    }

    /** The watch has a subscription already. */
    @Override
    public Flow.Publisher<FabricEvent> createFailedFlowPublisher() {
        FabricWatch watch = network().watch(10);
        watch.events().subscribe(org.hcaactors.api.stream.Subscribers.forEach(event -> {}));
        return watch.events();
    }
}
