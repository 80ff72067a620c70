// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.actors.completion.CompletionQueueHandle;
import org.hcaactors.actors.queue.QueuePairBlueprint;
import org.hcaactors.actors.queue.Wiring;
import org.hcaactors.actors.queue.WorkQueues;
import org.hcaactors.actors.srq.SharedReceiveBlueprint;
import org.hcaactors.actors.srq.SharedReceiveHandle;
import org.hcaactors.actors.srq.TagQueueHandle;
import org.hcaactors.actors.srq.TagTerms;
import org.hcaactors.actors.srq.Tags;
import org.hcaactors.adapter.books.ObjectKind;
import org.hcaactors.adapter.inline.ProcessMemory;
import org.hcaactors.adapter.page.Pages;
import org.hcaactors.adapter.stage.Outcome;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.tag.TagSharedReceiveQueue;
import org.hcaactors.api.tag.TagSrqDescription;

/** Has the adapter make a tag-matching queue, and the initiator that goes with it. */
record TagQueueFactory(int domain, ContextHandle context, ProcessMemory memory) {
    // rule tag-srq
    CompletionStage<TagSharedReceiveQueue> create(TagSrqDescription wanted) {
        Tags tags = TagTerms.of(
                wanted,
                context.own(wanted.completions(), CompletionQueueHandle.class, "completion queue"),
                context.profile());
        SharedReceiveBlueprint blueprint = SharedReceiveBlueprint.of(
                        wanted.size(),
                        domain,
                        context.pages(),
                        context,
                        context.profile(),
                        context.services().shards())
                .tagged(tags);
        return Outcome.undone(context.make(blueprint), blueprint::refused)
                .thenCompose(queue -> wanted.dcRendezvous()
                        .map(terms -> withInitiator(queue, terms))
                        .orElse(CompletableFuture.completedStage(queue)))
                .thenApply(queue -> new TagQueueHandle(
                        queue, tags.slots(), context.profile().tags().maxSge()))
                .thenApply(queue -> context.track(queue, ObjectKind.SHARED_RECEIVE_QUEUE, domain));
    }

    // rule rendezvous-dc
    private CompletionStage<SharedReceiveHandle> withInitiator(SharedReceiveHandle queue, RcConnection terms) {
        Wiring wiring = Wiring.fetchingFor(
                queue, memory, context.adapter().keys(), context.adapter().numbers(), context);
        QueuePairBlueprint own = new QueuePairBlueprint(
                QpType.DC_INI, domain, QueuePairBlueprint.NO_QUEUES, QpDescription.Options.DEFAULT, wiring, Pages.NONE);
        return Outcome.undone(context.make(own).thenCompose(initiator -> opened(queue, initiator, terms)), queue::end);
    }

    private static CompletionStage<SharedReceiveHandle> opened(
            SharedReceiveHandle queue, WorkQueues initiator, RcConnection terms) {
        queue.fetchBy(initiator.asFetcher());
        queue.door().whenGone(() -> initiator.asDc().destroy());
        return initiator.asDc().open(terms).thenApply(done -> queue);
    }
}
