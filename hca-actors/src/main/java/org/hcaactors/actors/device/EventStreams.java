// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.hcaactors.actors.event.EventQueueActor;
import org.hcaactors.actors.service.Services;
import org.hcaactors.actors.stage.Callers;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.mutation.MutationPoint;

/** Event queues of an adapter, one for each of its contexts. */
final class EventStreams {
    private final ActorContext<?> context;
    private final Services services;
    private final List<ActorRef<EventQueueActor.Command<AsyncEvent>>> streams = new ArrayList<>();
    private int opened;

    /** @param context of the adapter */
    EventStreams(ActorContext<?> context, Services services) {
        this.context = context;
        this.services = services;
    }

    int count() {
        return streams.size();
    }

    /** @param callers of the context's process */
    void open(Callers callers, Reply<CommandSender<EventQueueActor.Command<AsyncEvent>>> reply) {
        EventQueueActor.Plan<AsyncEvent> plan = new EventQueueActor.Plan<>(
                "the event stream of this context",
                DeviceContext.EVENT_BACKLOG,
                false,
                () -> {},
                callers,
                AsyncEvent[]::new);
        streams.add(context.spawn(
                EventQueueActor.create(plan, reply::succeed),
                "events-" + ++opened,
                services.shards().first()));
    }

    void close(CommandSender<EventQueueActor.Command<AsyncEvent>> stream, Reply<Void> reply) {
        streams.remove(stream.actor());
        stream.actor().tell(new EventQueueActor.Destroy<>(reply));
    }

    /** Raises the event in every context. */
    @MutationPoint("event-streams.raise")
    void raise(AsyncEvent event, Reason reason) {
        AdapterTrace trace = services.trace();
        if (trace.enabled()) {
            trace.record(0, at -> new HcaEvent.Raised(at, trace.port(), event, reason));
        }
        streams.forEach(stream -> stream.tell(new EventQueueActor.Raised<>(event)));
    }
}
