// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.XrcDomainDescription;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.lab.pair.NamedQueue;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.pair.XrcEnd;
import org.hcaactors.lab.scenario.Scenario.Job;
import org.hcaactors.lab.world.World;

/** XRC shared receive queues on the second end's host, one per process; requests of the first end name one of them. */
record HostQueues(XrcEnd from, List<NamedQueue> all) {
    HostQueues {
        all = List.copyOf(all);
    }

    /** Creates a queue in the XRC domain that all ends of the adapter share. */
    static NamedQueue of(World world, Side side, int cqEntries, int receives) {
        return NamedQueue.in(
                world.network(),
                world.await(side.context().openXrcDomain(XrcDomainDescription.of(XrcEnd.FILE))),
                side,
                world.await(side.context().createCq(cqEntries)),
                SrqDescription.of(receives).withMaxSge(1));
    }

    NamedQueue queue(int which) {
        return all.get(which);
    }

    /** Returns all queues but the first, which is the second end's own; each of them has a process of its own. */
    List<NamedQueue> others() {
        return all.subList(1, all.size());
    }

    /** Submits a request of the first end. */
    CompletionStage<WorkCompletion> submit(Job job, WorkRequest work) {
        return from.submit(job.srqNumber().orElseGet(() -> queue(job.queue()).number()), work);
    }
}
