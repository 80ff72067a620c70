// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.MaskedCompareAndSwap;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;

/** Every verb of a reliable connection, several requests in progress at a time. */
final class ReliableRound implements Round {
    private static final int MAX_BYTES = 3000;

    @Override
    public void play(WorkerEnvironment environment) {
        try (SoakContext left = environment.left();
                SoakContext right = environment.right()) {
            QpPair<RcQueuePair> pair = left.connectedTo(right);
            RcQueuePair from = pair.local();
            RcQueuePair to = pair.remote();
            for (int i = 0; i < 3; i++) {
                to.postReceive(Receive.of(i, right.slice(4096, MAX_BYTES)));
            }
            int bytes = environment.random().nextInt(MAX_BYTES);
            List<CompletionStage<WorkCompletion>> requests = new ArrayList<>();
            requests.add(from.submit(Send.of(1, left.slice(0, bytes))));
            requests.add(
                    from.submit(Send.of(2, left.slice(0, 64)).withImmediate(7).withInline()));
            requests.add(from.submit(RdmaWrite.of(3, left.slice(0, bytes), right.remote(0))));
            requests.add(from.submit(
                    RdmaWrite.of(4, left.slice(0, bytes), right.remote(0)).withImmediate(8)));
            requests.add(from.submit(RdmaRead.of(5, left.slice(4096, bytes), right.remote(0))));
            requests.add(from.submit(
                    FetchAdd.of(6, left.slice(8, 8), right.remote(8000), 1).withFence()));
            requests.add(from.submit(CompareAndSwap.of(7, left.slice(16, 8), right.remote(8000), 1, 2)));
            requests.add(from.submit(MaskedCompareAndSwap.or(9, left.slice(24, 8), right.remote(8008), 0xFF)));
            requests.add(from.submit(MaskedFetchAdd.of(10, left.slice(32, 4), right.remote(8008), AtomicValue.ofInt(2))
                    .withBoundary(AtomicValue.ofInt(0x80))));
            requests.add(to.submit(RdmaWrite.of(8, right.slice(0, bytes), left.remote(0))));
            requests.forEach(environment::succeeds);
            WorkerEnvironment.check(
                    right.memory.readLong(8000) == 2, "the word must be 2, but is " + right.memory.readLong(8000));
            WorkerEnvironment.check(
                    right.memory.readLong(8008) == 1,
                    "the carry out of the lowest byte must be dropped, so the word must be 1, but is "
                            + right.memory.readLong(8008));
        }
    }
}
