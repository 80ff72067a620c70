// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.time.Duration;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;

/**
 * The plain loop: arm, wait for the channel, poll until empty; then with moderation and a resize, and with a wake-up that no
 * thread fetches.
 */
final class ArmedRound implements Round {
    private static final int MESSAGES = 4;

    @Override
    public void play(WorkerEnvironment ground) {
        try (SoakContext left = ground.left();
                SoakContext right = ground.right()) {
            CompletionChannel channel = right.made(right.context.createChannel());
            CompletionQueue heard =
                    right.made(right.context.createCq(CqDescription.of(15).withChannel(channel)));
            QpPair<RcQueuePair> pair = ground.await(QpPair.connectRc(
                    left.domain, left.described(QpDescription.rc()),
                    right.domain, right.described(QpDescription.rc()).withRecvCq(heard)));
            RcQueuePair from = left.opened(pair.local());
            RcQueuePair to = right.opened(pair.remote());
            for (int i = 0; i < MESSAGES; i++) {
                to.postReceive(Receive.of(i, right.slice(0, 64)));
                heard.arm(CompletionQueue.Arm.ANY);
                ground.succeeds(from.submit(Send.of(i, left.slice(0, 64)).withSolicited()));
                if (i % 2 == 0) {
                    ground.afterCancelling(channel::next);
                } else {
                    ground.afterCancelling(
                            () -> TakesSome.to(channel.wakeups(), 1).taken());
                }
                int polled = i % 2 == 0
                        ? ground.await(heard.poll(4)).size()
                        : heard.poller().poll(4, completion -> {});
                WorkerEnvironment.check(
                        polled == 1, "one message was received, so one completion must be polled; polled: " + polled);
            }
            ground.await(heard.resize(31));
            ground.await(heard.moderate(2, Duration.ofMillis(1)));
            to.postReceive(Receive.of(9, right.slice(0, 64)));
            heard.arm(CompletionQueue.Arm.ANY);
            ground.succeeds(from.submit(Send.of(9, left.slice(0, 64))));
        }
    }
}
