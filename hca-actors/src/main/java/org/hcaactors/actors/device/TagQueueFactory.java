// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.actors.completion.CompletionQueueHandle;
import org.hcaactors.actors.queue.QueuePairBlueprint;
import org.hcaactors.actors.queue.QueuePairLinks;
import org.hcaactors.actors.queue.WorkQueues;
import org.hcaactors.actors.srq.SharedReceiveBlueprint;
import org.hcaactors.actors.srq.SharedReceiveHandle;
import org.hcaactors.actors.srq.TagChecks;
import org.hcaactors.actors.srq.TagQueueHandle;
import org.hcaactors.actors.srq.TagQueueParts;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.dc.DcFetcherKind;
import org.hcaactors.adapter.inline.ProcessMemory;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.adapter.stage.StageOutcome;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.TagMatching;
import org.hcaactors.api.queue.TagSharedReceiveQueue;

/** Factory of tag-matching queues, each with its initiator if DC rendezvous is requested. */
record TagQueueFactory(int domain, ContextHandle context, ProcessMemory memory) {
    // rule tag-srq
    CompletionStage<TagSharedReceiveQueue> create(SrqDescription<?> sizes, TagMatching requested) {
        TagQueueParts tags = TagChecks.of(
                requested,
                context.require(requested.cq(), CompletionQueueHandle.class, "completion queue"),
                context.profile());
        SharedReceiveBlueprint blueprint = SharedReceiveBlueprint.of(
                        sizes,
                        domain,
                        context.pages(),
                        context,
                        context.profile(),
                        context.services().shards())
                .withKind(tags);
        return StageOutcome.undone(context.makeCounted(blueprint), blueprint::refused)
                .thenCompose(queue -> requested
                        .dcRendezvous()
                        .map(attributes -> withInitiator(queue, attributes))
                        .orElse(CompletableFuture.completedStage(queue)))
                .thenApply(queue ->
                        new TagQueueHandle(queue, context.profile().tags().maxSge()))
                .thenApply(queue -> context.track(queue, ObjectKind.SHARED_RECEIVE_QUEUE, domain));
    }

    // rule rendezvous-dc
    private CompletionStage<SharedReceiveHandle> withInitiator(SharedReceiveHandle queue, RcConnection attributes) {
        QueuePairLinks links = QueuePairLinks.fetchingFor(
                queue, memory, context.adapter().keys(), context.adapter().numbers(), context);
        QueuePairBlueprint own = new QueuePairBlueprint(
                new DcFetcherKind(),
                domain,
                QueuePairBlueprint.NO_QUEUES,
                QpDescription.Options.DEFAULT,
                links,
                AllocatedPages.NONE);
        return StageOutcome.undone(
                context.make(own).thenCompose(initiator -> opened(queue, initiator, attributes)), queue::end);
    }

    private static CompletionStage<SharedReceiveHandle> opened(
            SharedReceiveHandle queue, WorkQueues initiator, RcConnection attributes) {
        queue.fetchBy(initiator.asFetcher());
        queue.commandSender().whenClosed(() -> initiator.as(DcInitiator.class).destroy());
        return initiator.as(DcInitiator.class).open(attributes).thenApply(done -> queue);
    }
}
