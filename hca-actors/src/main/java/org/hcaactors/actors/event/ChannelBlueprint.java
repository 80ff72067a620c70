// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.event;

import org.apache.pekko.actor.typed.Behavior;
import org.hcaactors.actors.service.Blueprint;
import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.flow.EventSink;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.capability.VerbTimes;
import org.hcaactors.api.completion.CompletionQueue;

/**
 * Blueprint of a completion channel.
 *
 * @param owner its context
 */
public record ChannelBlueprint(EventSink owner)
        implements Blueprint<EventQueueActor.Command<CompletionQueue>, CompletionChannelHandle> {
    /** Maximum number of events that wait in it. */
    private static final int MAX_WAKEUPS = 1 << 16;

    @Override
    public ObjectKind kind() {
        return ObjectKind.CHANNEL;
    }

    @Override
    public Behavior<EventQueueActor.Command<CompletionQueue>> behavior(
            int number, Services services, Reply<CompletionChannelHandle> reply) {
        EventQueueActor.Plan<CompletionQueue> plan = new EventQueueActor.Plan<>(
                "completion channel " + number,
                MAX_WAKEUPS,
                true,
                () -> {},
                services.callers(),
                CompletionQueue[]::new,
                services.clock(),
                services.nanos(VerbTimes.Step.INTERRUPT));
        return EventQueueActor.create(
                plan,
                commandSender -> reply.succeed(new CompletionChannelHandle(services.adapter(), owner, commandSender)));
    }
}
