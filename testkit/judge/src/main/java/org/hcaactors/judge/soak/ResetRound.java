// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;

/** A queue pair that is reset during traffic, moved to ERR, and connected again. */
final class ResetRound implements Round {
    /** Gives up after one timeout of 4 ms. */
    private static final RcConnection IMPATIENT =
            RcConnection.DEFAULT.withTimeoutCode(10).withRetryCount(0);

    private static final RcConnection TERMS = RcConnection.DEFAULT;

    @Override
    public void play(WorkerEnvironment environment) {
        try (SoakContext left = environment.left();
                SoakContext right = environment.right()) {
            QpPair<RcQueuePair> pair = environment.await(QpPair.connectRc(
                    left.domain,
                    left.described(QpDescription.rc()),
                    right.domain,
                    right.described(QpDescription.rc()),
                    IMPATIENT));
            RcQueuePair from = left.opened(pair.local());
            RcQueuePair to = right.opened(pair.remote());
            environment.await(to.modify(QpModify.to(QpState.RESET)));
            if (environment.random().nextInt(4) == 0) {
                environment.ends(from.submit(write(left, right, 0)), Status.RETRY_EXC_ERR);
            }
            from.postReceive(Receive.of(1, left.slice(0, 64)));
            List<CompletionStage<WorkCompletion>> cutOff = new ArrayList<>();
            for (int i = 1; i < 5; i++) {
                cutOff.add(from.submit(write(left, right, i)));
            }
            QpState end = environment.random().nextBoolean() ? QpState.RESET : QpState.ERR;
            environment.await(from.modify(QpModify.to(end)));
            cutOff.forEach(environment::isCutOff);
            environment.await(from.modify(QpModify.to(QpState.RESET)));
            environment.await(from.connect(right.adapter.gid(), to.number(), TERMS));
            environment.await(to.connect(left.adapter.gid(), from.number(), TERMS));
            environment.succeeds(from.submit(write(left, right, 5)));
            to.postReceive(Receive.of(2, right.slice(0, 64)));
            environment.succeeds(from.submit(Send.of(6, left.slice(0, 64))));
        }
    }

    private static RdmaWrite write(SoakContext left, SoakContext right, int id) {
        return RdmaWrite.of(id, left.slice(0, 2000), right.remote(0));
    }
}
