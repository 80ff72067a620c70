// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.queue.UdRequest;
import org.hcaactors.api.work.UdWork;

/** Handle of a UD queue pair. */
record UdHandle(WorkQueues queues) implements UdQueuePair, QueuePairHandle {
    @Override
    public void post(UdAddress to, UdWork work) {
        queues.post(work, () -> queues.checks().datagram(to));
    }

    @Override
    public void post(List<UdRequest> requests) {
        queues.postList(requests, UdRequest::work, each -> () -> queues.checks().datagram(each.to()));
    }

    @Override
    public void postWhole(List<UdRequest> requests) {
        queues.postWhole(
                requests, UdRequest::work, each -> () -> queues.checks().datagram(each.to()));
    }

    @Override
    public CompletionStage<WorkCompletion> submit(UdAddress to, UdWork work) {
        return queues.submit(work, () -> queues.checks().datagram(to));
    }

    @Override
    public CompletionStage<WorkCompletion> submit(UdAddress to, UdWork work, Duration timeout) {
        return queues.perform(() -> submit(to, work), timeout);
    }

    @Override
    public CompletionStage<Void> attachMulticast(Gid group) {
        return queues.begin(Verb.ATTACH_MCAST, () -> queues.commands().join(group));
    }

    @Override
    public CompletionStage<Void> detachMulticast(Gid group) {
        return queues.begin(Verb.DETACH_MCAST, () -> queues.commands().leave(group));
    }

    @Override
    public String toString() {
        return queues.toString();
    }
}
