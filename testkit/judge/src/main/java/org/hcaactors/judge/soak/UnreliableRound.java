// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;

/** Every verb of an unreliable connection. */
final class UnreliableRound implements Round {
    @Override
    public void play(WorkerEnvironment environment) {
        try (SoakContext left = environment.left();
                SoakContext right = environment.right()) {
            QpPair<UcQueuePair> pair = environment.await(QpPair.connectUc(
                    left.domain,
                    left.described(QpDescription.uc()),
                    right.domain,
                    right.described(QpDescription.uc())));
            UcQueuePair from = left.opened(pair.local());
            UcQueuePair to = right.opened(pair.remote());
            int bytes = environment.random().nextInt(3000);
            to.postReceive(Receive.of(1, right.slice(4096, 3000)));
            to.postReceive(Receive.of(2, right.slice(4096, 3000)));
            environment.succeeds(from.submit(Send.of(1, left.slice(0, bytes))));
            environment.succeeds(from.submit(RdmaWrite.of(2, left.slice(0, bytes), right.remote(0))));
            environment.succeeds(from.submit(
                    RdmaWrite.of(3, left.slice(0, bytes), right.remote(0)).withImmediate(1)));
        }
    }
}
