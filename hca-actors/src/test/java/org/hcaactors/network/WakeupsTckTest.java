// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.concurrent.Flow;
import org.hcaactors.api.completion.CompletionQueue;

/** Wake-ups of a completion channel. */
public class WakeupsTckTest extends StreamTck<CompletionQueue> {
    @Override
    public long maxElementsFromPublisher() {
        return MAX;
    }

    @Override
    public Flow.Publisher<CompletionQueue> createFlowPublisher(long elements) {
        Loopback loopback = loopback();
        for (int i = 0; i < elements; i++) {
            loopback.cq.arm(CompletionQueue.Arm.ANY);
            loopback.complete(1);
        }
        return new Finite<>(loopback.channel.wakeups(), elements, loopback::end);
    }

    /** The channel has a subscription already. */
    @Override
    public Flow.Publisher<CompletionQueue> createFailedFlowPublisher() {
        Loopback loopback = loopback();
        loopback.channel.wakeups().subscribe(org.hcaactors.api.stream.Subscribers.forEach(queue -> {}));
        return loopback.channel.wakeups();
    }
}
