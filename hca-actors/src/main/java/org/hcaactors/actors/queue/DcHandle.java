// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.DcRequest;
import org.hcaactors.api.queue.DcStreams;
import org.hcaactors.api.work.RcWork;

/** Handle of a DC initiator. */
record DcHandle(WorkQueues queues, Optional<DcStreams> streams) implements DcInitiator, QueuePairHandle {
    @Override
    public void post(DcAddress to, int stream, RcWork work) {
        queues.post(work, () -> queues.checks().dynamic(to, stream));
    }

    @Override
    public void post(List<DcRequest> requests) {
        queues.postList(requests, DcRequest::work, each -> () -> queues.checks().dynamic(each));
    }

    @Override
    public void postWhole(List<DcRequest> requests) {
        queues.postWhole(
                requests, DcRequest::work, each -> () -> queues.checks().dynamic(each));
    }

    @Override
    public CompletionStage<WorkCompletion> submit(DcAddress to, int stream, RcWork work) {
        return queues.submit(work, () -> queues.checks().dynamic(to, stream));
    }

    @Override
    public CompletionStage<WorkCompletion> submit(DcAddress to, int stream, RcWork work, Duration timeout) {
        return queues.perform(() -> submit(to, stream, work), timeout);
    }

    // rule dc-stream-reset
    @Override
    public CompletionStage<Void> resetStream(int stream) {
        return queues.begin(Verb.DCI_STREAM_ID_RESET, () -> queues.commands().resetStream(stream));
    }

    @Override
    public String toString() {
        return queues.toString();
    }
}
