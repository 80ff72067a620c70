// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.concurrent.Flow;
import org.hcaactors.api.completion.Delivery;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaWrite;

/**
 * Completions as a stream: a subscriber that takes some and cancels, another that takes the rest, and one that stays to the
 * end.
 */
final class StreamRound implements Round {
    private static final int REQUESTS = 12;

    @Override
    public void play(WorkerEnvironment environment) {
        try (SoakContext left = environment.left();
                SoakContext right = environment.right()) {
            RcQueuePair from = left.connectedTo(right).local();
            Flow.Publisher<WorkCompletion> stream = left.cq.completions(
                    environment.random().nextBoolean() ? Delivery.CALLERS : Delivery.ADAPTER_THREAD);
            TakesSome<WorkCompletion> first = TakesSome.to(stream, 5);
            for (int i = 0; i < REQUESTS; i++) {
                from.post(RdmaWrite.of(i, left.slice(0, 1500), right.remote(0)).withSignaled());
            }
            environment.await(first.taken());
            environment.afterCancelling(() -> TakesSome.to(stream, REQUESTS - 5).taken());
            environment.tally().requests.add(REQUESTS);
            stream.subscribe(Subscribers.forEach(completion -> {}, reason -> {}));
        }
    }
}
