// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;

/** A process that exits during its work without closing anything. */
final class AbandonedRound implements Round {
    @Override
    public void play(WorkerEnvironment environment) {
        SoakContext left = environment.left();
        try (SoakContext right = environment.right()) {
            CompletionChannel channel = left.made(left.context.createChannel());
            CompletionQueue armed =
                    left.made(left.context.createCq(CqDescription.of(15).withChannel(channel)));
            SharedReceiveQueue srq = left.made(left.domain.createSrq(SrqDescription.DEFAULT));
            srq.postReceive(Receive.of(1, left.slice(0, 64)));
            QpPair<RcQueuePair> pair = environment.await(QpPair.connectRc(
                    left.domain,
                    left.described(QpDescription.rc()).withSendCq(armed).withSrq(srq),
                    right.domain,
                    right.described(QpDescription.rc())));
            left.opened(pair.local());
            right.opened(pair.remote());
            armed.arm(CompletionQueue.Arm.ANY);
            channel.wakeups().subscribe(Subscribers.forEach(queue -> {}, reason -> {}));
            left.context.asyncEvents().subscribe(Subscribers.forEach(event -> {}, reason -> {}));
            left.cq.completions().subscribe(Subscribers.forEach(completion -> {}, reason -> {}));
            for (int i = 0; i < 8; i++) {
                pair.local()
                        .post(RdmaWrite.of(i, left.slice(0, 4096), right.remote(0))
                                .withSignaled());
            }
            environment.tally().requests.add(8);
            left.abandon();
        }
    }
}
