// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;

/**
 * Connections that take their receives from one queue, which is resized, reports its limit, and holds some receives to the end.
 */
final class SharedReceiveRound implements Round {
    private static final int PAIRS = 3;
    private static final int RECEIVES = 8;

    @Override
    public void play(WorkerEnvironment environment) {
        try (SoakContext left = environment.left();
                SoakContext right = environment.right()) {
            SharedReceiveQueue srq = right.made(
                    right.domain.createSrq(SrqDescription.of(RECEIVES).withMaxSge(1)));
            for (int i = 0; i < RECEIVES; i++) {
                srq.postReceive(Receive.of(i, right.slice(0, 2048)));
            }
            environment.await(srq.resize(2 * RECEIVES));
            environment.await(srq.armLimit(RECEIVES - 1));
            for (int i = 0; i < PAIRS; i++) {
                QpPair<RcQueuePair> pair = environment.await(QpPair.connectRc(
                        left.domain, left.described(QpDescription.rc()),
                        right.domain, right.described(QpDescription.rc()).withSrq(srq)));
                RcQueuePair from = left.opened(pair.local());
                right.opened(pair.remote());
                environment.succeeds(from.submit(Send.of(1, left.slice(0, 2000))));
                environment.succeeds(from.submit(Send.of(2, left.slice(0, 10))));
            }
            AsyncEvent event = environment.await(right.context.nextAsyncEvent());
            AsyncEvent due = new AsyncEvent(AsyncEvent.Kind.SRQ_LIMIT_REACHED, srq.number());
            WorkerEnvironment.check(event.equals(due), "the context must report " + due + ", but reported " + event);
        }
    }
}
