package org.hcaactors.network;

import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.adapter.event.EventQueueActor;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.fabric.flow.FabricEvent;

/**
 * What happens on the fabric, as a stream for those who only look on: it stalls nobody. Events that its subscriber does not
 * ask for wait, up to the backlog it was made with; beyond it the oldest are dropped and counted.
 */
public final class FabricWatch implements AutoCloseable {
    private final ActorRef<EventQueueActor.Command<FabricEvent>> actor;
    private final AtomicLong dropped;
    private final Runnable untap;
    private final Reply<Void> closed;

    FabricWatch(
            ActorRef<EventQueueActor.Command<FabricEvent>> actor,
            AtomicLong dropped,
            Runnable untap,
            Reply<Void> closed) {
        this.actor = actor;
        this.dropped = dropped;
        this.untap = untap;
        this.closed = closed;
    }

    /** One subscription at a time; cancelling loses nothing but what the backlog can't hold. */
    public Flow.Publisher<FabricEvent> events() {
        return subscriber -> {
            Objects.requireNonNull(subscriber, "subscriber");
            actor.tell(new EventQueueActor.Subscribe<>(subscriber));
        };
    }

    /** Events that nobody asked for in time. */
    public long dropped() {
        return dropped.get();
    }

    /** Nothing is watched any more, and the stream completes. */
    @Override
    public void close() {
        untap.run();
        actor.tell(new EventQueueActor.Destroy<>(closed));
    }
}
