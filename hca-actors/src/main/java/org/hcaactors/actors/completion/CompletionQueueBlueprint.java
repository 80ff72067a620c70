// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.completion;

import java.util.Optional;
import org.apache.pekko.actor.typed.Behavior;
import org.hcaactors.actors.event.CompletionChannelHandle;
import org.hcaactors.actors.notify.WaiterHandle;
import org.hcaactors.actors.service.Blueprint;
import org.hcaactors.actors.service.Services;
import org.hcaactors.actors.service.Shards;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.completion.CqChecks;
import org.hcaactors.adapter.flow.EventSink;
import org.hcaactors.adapter.inline.InlineVariables;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.adapter.page.BufferKind;
import org.hcaactors.adapter.page.PageAllocator;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.device.Profile;

/**
 * Blueprint of a completion queue.
 *
 * @param requested the description
 * @param reports channel and thread of {@code requested}
 * @param allocator allocates pages for its ring
 * @param buffer the first pages of its ring
 * @param events receives CQ_ERR
 * @param entryBytes of each entry
 * @param shard on which it lives
 */
public record CompletionQueueBlueprint(
        CqDescription requested,
        Reports reports,
        PageAllocator allocator,
        AllocatedPages buffer,
        EventSink events,
        int entryBytes,
        int shard)
        implements Blueprint<CompletionQueueActor.Command, CompletionQueueHandle> {
    /**
     * Checks the description and allocates the pages.
     *
     * @param shards of the network
     * @throws org.hcaactors.api.error.VerbsException EINVAL or EOPNOTSUPP beyond the limits of the profile, ENOMEM if the pages
     *     cannot be allocated
     */
    public static CompletionQueueBlueprint of(
            CqDescription requested,
            Optional<CompletionChannelHandle> channel,
            Optional<WaiterHandle> waiter,
            PageAllocator allocator,
            EventSink events,
            Profile profile,
            InlineVariables variables,
            Shards shards) {
        CqChecks attributes = new CqChecks(profile);
        attributes.check(requested);
        int shard = shards.of(requested.placement());
        int entryBytes = variables.entryBytes(requested, profile.completions().maxEntryBytes(), profile.name());
        AllocatedPages buffer =
                allocator.take(BufferKind.COMPLETION_QUEUE, attributes.bufferBytes(requested.entries(), entryBytes));
        return new CompletionQueueBlueprint(
                requested, new Reports(channel, waiter), allocator, buffer, events, entryBytes, shard);
    }

    /** Releases the pages; the queue was not created. */
    public void refused() {
        buffer.release();
    }

    @Override
    public ObjectKind kind() {
        return ObjectKind.COMPLETION_QUEUE;
    }

    @Override
    public Behavior<CompletionQueueActor.Command> behavior(
            int number, Services services, Reply<CompletionQueueHandle> reply) {
        return CompletionQueueActor.create(number, this, services, reply);
    }
}
