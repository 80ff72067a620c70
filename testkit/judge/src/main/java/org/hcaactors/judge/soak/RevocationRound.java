// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;

/** A key that is deregistered while the peer writes under it; its owner receives the event from a stream. */
final class RevocationRound implements Round {
    @Override
    public void play(WorkerEnvironment environment) {
        try (SoakContext left = environment.left();
                SoakContext right = environment.right()) {
            RcQueuePair from = left.connectedTo(right).local();
            AccessFlags rights = AccessFlags.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            MemoryRegion part = right.made(right.domain.register(right.memory, 64, 2048, rights));
            TakesSome<AsyncEvent> events = TakesSome.to(right.context.asyncEvents(), 1);
            // So that a lease exists when the key is deregistered.
            environment.succeeds(from.submit(RdmaWrite.of(9, left.slice(0, 8), part.remote(0))));
            List<CompletionStage<WorkCompletion>> requests = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                requests.add(from.submit(RdmaWrite.of(i, left.slice(0, 2048), part.remote(0))));
            }
            right.close(part);
            requests.add(from.submit(RdmaWrite.of(8, left.slice(0, 8), part.remote(0))));
            for (CompletionStage<WorkCompletion> request : requests) {
                environment.ends(request, Status.SUCCESS, Status.REM_ACCESS_ERR, Status.WR_FLUSH_ERR);
            }
            environment.await(events.taken());
        }
    }
}
