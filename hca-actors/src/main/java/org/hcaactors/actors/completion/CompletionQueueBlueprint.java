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
 * How a completion queue is made.
 *
 * @param requested what the caller asked for
 * @param reports to what {@code requested} names, when armed
 * @param allocator finds pages for its ring
 * @param buffer the pages that its ring begins with
 * @param events where CQ_ERR goes
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
     * Its pages are taken from here on. VerbsException (EINVAL, EOPNOTSUPP) beyond what the profile allows, ENOMEM where there
     * are no such pages.
     *
     * @param shards of the network
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

    /** It was not made. */
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
