// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.concurrent.Flow;
import org.hcaactors.api.completion.Delivery;
import org.hcaactors.api.completion.WorkCompletion;

/** Completions on the adapter's own thread. */
public class AdapterThreadCompletionsTckTest extends StreamTck<WorkCompletion> {
    @Override
    public long maxElementsFromPublisher() {
        return MAX;
    }

    @Override
    public Flow.Publisher<WorkCompletion> createFlowPublisher(long elements) {
        Loopback loopback = loopback();
        loopback.complete((int) elements);
        return new Finite<>(loopback.cq.completions(Delivery.ADAPTER_THREAD), elements, loopback::end);
    }

    /** The queue has a subscription already. */
    @Override
    public Flow.Publisher<WorkCompletion> createFailedFlowPublisher() {
        Loopback loopback = loopback();
        loopback.cq.completions().subscribe(org.hcaactors.api.stream.Subscribers.forEach(wc -> {}));
        return loopback.cq.completions(Delivery.ADAPTER_THREAD);
    }
}
