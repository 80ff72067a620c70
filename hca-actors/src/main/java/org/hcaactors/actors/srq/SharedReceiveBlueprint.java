// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

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
 * Blueprint of a shared receive queue.
 *
 * @param domain number of its protection domain
 * @param capacity actual sizes
 * @param allocator allocates pages for its buffer
 * @param buffer its first pages
 * @param events receives SRQ_LIMIT_REACHED
 * @param srqKind its kind, with the attributes of that
 * @param placed its shard, unless it has a completion queue: then it lives on the shard of that
 */
public record SharedReceiveBlueprint(
        int domain,
        SrqCapacity capacity,
        PageAllocator allocator,
        AllocatedPages buffer,
        EventSink events,
        SrqKind srqKind,
        int placed)
        implements Blueprint<SharedReceiveActor.Command, SharedReceiveHandle> {
    /**
     * Checks the description and allocates the pages.
     *
     * @param shards of the network
     * @throws org.hcaactors.api.error.VerbsException EINVAL beyond the limits of the profile, ENOMEM if the pages cannot be
     *     allocated
     */
    public static SharedReceiveBlueprint of(
            SrqDescription<?> requested,
            int domain,
            PageAllocator allocator,
            EventSink events,
            Profile profile,
            Shards shards) {
        SrqCapacity capacity = new SrqChecks(profile.sharedReceives()).capacity(requested);
        int placed = shards.of(requested.placement());
        AllocatedPages buffer = allocator.takeSingle(SrqChecks.bufferBytes(capacity));
        return new SharedReceiveBlueprint(domain, capacity, allocator, buffer, events, SrqKind.PLAIN, placed);
    }

    /** Returns the blueprint of a queue of that kind. */
    public SharedReceiveBlueprint withKind(SrqKind other) {
        return new SharedReceiveBlueprint(domain, capacity, allocator, buffer, events, other, placed);
    }

    /** Releases the pages; the queue was not created. */
    public void refused() {
        buffer.release();
    }

    @Override
    public ObjectKind kind() {
        return ObjectKind.SHARED_RECEIVE_QUEUE;
    }

    @Override
    public int shard() {
        return srqKind.completions().map(CompletionQueueHandle::shard).orElse(placed);
    }

    @Override
    public Behavior<SharedReceiveActor.Command> behavior(
            int number, Services services, Reply<SharedReceiveHandle> reply) {
        return SharedReceiveActor.create(number, this, services, reply);
    }
}
