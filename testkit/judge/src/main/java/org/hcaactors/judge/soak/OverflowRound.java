// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;

/** A completion queue that is not polled until it overflows: it fails with its queue pair, and both are closed. */
final class OverflowRound implements Round {
    private static final int EVENTS = 2;

    @Override
    public void play(WorkerEnvironment environment) {
        try (SoakContext left = environment.left();
                SoakContext right = environment.right()) {
            CompletionQueue tiny = left.made(left.context.createCq(1));
            TakesSome<AsyncEvent> events = TakesSome.to(left.context.asyncEvents(), EVENTS);
            QpPair<RcQueuePair> pair = environment.await(QpPair.connectRc(
                    left.domain,
                    left.described(QpDescription.rc()).withSendCq(tiny),
                    right.domain,
                    right.described(QpDescription.rc())));
            RcQueuePair from = left.opened(pair.local());
            right.opened(pair.remote());
            for (int i = 0; i < 3; i++) {
                from.post(RdmaWrite.of(i, left.slice(0, 8), right.remote(0)).withSignaled());
            }
            environment.await(events.taken());
            environment.tally().requests.add(3);
        }
    }
}
