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
    public void play(WorkerEnvironment environment) {
        try (SoakContext left = environment.left();
                SoakContext right = environment.right()) {
            CompletionChannel channel = right.made(right.context.createChannel());
            CompletionQueue completions =
                    right.made(right.context.createCq(CqDescription.of(15).withChannel(channel)));
            QpPair<RcQueuePair> pair = environment.await(QpPair.connectRc(
                    left.domain, left.described(QpDescription.rc()),
                    right.domain, right.described(QpDescription.rc()).withRecvCq(completions)));
            RcQueuePair from = left.opened(pair.local());
            RcQueuePair to = right.opened(pair.remote());
            for (int i = 0; i < MESSAGES; i++) {
                to.postReceive(Receive.of(i, right.slice(0, 64)));
                completions.arm(CompletionQueue.Arm.ANY);
                environment.succeeds(from.submit(Send.of(i, left.slice(0, 64)).withSolicited()));
                if (i % 2 == 0) {
                    environment.afterCancelling(channel::next);
                } else {
                    environment.afterCancelling(
                            () -> TakesSome.to(channel.wakeups(), 1).taken());
                }
                int polled = i % 2 == 0
                        ? environment.await(completions.poll(4)).size()
                        : completions.poller().poll(4, completion -> {});
                WorkerEnvironment.check(
                        polled == 1, "one message was received, so one completion must be polled; polled: " + polled);
            }
            environment.await(completions.resize(31));
            environment.await(completions.moderate(2, Duration.ofMillis(1)));
            to.postReceive(Receive.of(9, right.slice(0, 64)));
            completions.arm(CompletionQueue.Arm.ANY);
            environment.succeeds(from.submit(Send.of(9, left.slice(0, 64))));
        }
    }
}
