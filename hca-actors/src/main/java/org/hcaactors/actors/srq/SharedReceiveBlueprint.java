// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

import java.util.Optional;
import org.apache.pekko.actor.typed.Behavior;
import org.hcaactors.actors.completion.CompletionQueueHandle;
import org.hcaactors.actors.service.Blueprint;
import org.hcaactors.actors.service.Services;
import org.hcaactors.actors.service.Shards;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.flow.EventSink;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.adapter.page.PageAllocator;
import org.hcaactors.adapter.srq.SrqChecks;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.SrqCapacity;
import org.hcaactors.api.queue.SrqDescription;

/**
 * How a shared receive queue is made.
 *
 * @param domain number of its protection domain
 * @param capacity actual sizes
 * @param allocator finds pages for its buffer
 * @param buffer the pages that it begins with
 * @param events where SRQ_LIMIT_REACHED goes
 * @param xrcAttributes what it has if peers name it
 * @param tags what it has if it compares tags
 * @param placed where it lives, unless it says where its messages end: then it lives there
 */
public record SharedReceiveBlueprint(
        int domain,
        SrqCapacity capacity,
        PageAllocator allocator,
        AllocatedPages buffer,
        EventSink events,
        Optional<XrcSrqAttributes> xrcAttributes,
        Optional<TagQueueParts> tags,
        int placed)
        implements Blueprint<SharedReceiveActor.Command, SharedReceiveHandle> {
    /**
     * Its pages are taken from here on. VerbsException: EINVAL beyond what the profile allows, ENOMEM where there are none.
     *
     * @param shards of the network
     */
    public static SharedReceiveBlueprint of(
            SrqDescription requested,
            int domain,
            PageAllocator allocator,
            EventSink events,
            Profile profile,
            Shards shards) {
        SrqCapacity capacity = new SrqChecks(profile.sharedReceives()).capacity(requested);
        int placed = shards.of(requested.placement());
        AllocatedPages buffer = allocator.takeSingle(SrqChecks.bufferBytes(capacity));
        return new SharedReceiveBlueprint(
                domain, capacity, allocator, buffer, events, Optional.empty(), Optional.empty(), placed);
    }

    /** The same of one that peers name. */
    public SharedReceiveBlueprint named(XrcSrqAttributes with) {
        return new SharedReceiveBlueprint(domain, capacity, allocator, buffer, events, Optional.of(with), tags, placed);
    }

    /** The same of one that compares tags. */
    public SharedReceiveBlueprint tagged(TagQueueParts with) {
        return new SharedReceiveBlueprint(
                domain, capacity, allocator, buffer, events, xrcAttributes, Optional.of(with), placed);
    }

    /** Where messages end, if it says so, and not their queue pairs. */
    Optional<CompletionQueueHandle> completions() {
        return xrcAttributes.map(XrcSrqAttributes::completions).or(() -> tags.map(TagQueueParts::completions));
    }

    /** It was not made. */
    public void refused() {
        buffer.release();
    }

    @Override
    public ObjectKind kind() {
        return ObjectKind.SHARED_RECEIVE_QUEUE;
    }

    @Override
    public int shard() {
        return completions().map(CompletionQueueHandle::shard).orElse(placed);
    }

    @Override
    public Behavior<SharedReceiveActor.Command> behavior(
            int number, Services services, Reply<SharedReceiveHandle> reply) {
        return SharedReceiveActor.create(number, this, services, reply);
    }
}
