package org.hcaactors.adapter.event;

import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;

/**
 * The caller's side of a completion channel.
 *
 * @param adapter name of the adapter that made it
 * @param callers where stages complete
 */
public record CompletionChannelHandle(
        String adapter, ActorRef<EventQueueActor.Command<CompletionQueue>> actor, Executor callers)
        implements CompletionChannel {
    @Override
    public Flow.Publisher<CompletionQueue> wakeups() {
        return subscriber -> {
            Objects.requireNonNull(subscriber, "subscriber");
            actor.tell(new EventQueueActor.Subscribe<>(subscriber));
        };
    }

    @Override
    public CompletionStage<CompletionQueue> next() {
        Reply<CompletionQueue> reply = new Reply<>(callers);
        actor.tell(new EventQueueActor.Next<>(reply));
        return reply.stage();
    }

    @Override
    public CompletionStage<Void> destroy() {
        Reply<Void> reply = new Reply<>(callers);
        actor.tell(new EventQueueActor.Destroy<>(reply));
        return reply.stage();
    }

    /** A completion queue reports here from now on, or no more. */
    public void uses(boolean more) {
        actor.tell(new EventQueueActor.Users<>(more ? 1 : -1));
    }

    public void wake(CompletionQueue queue) {
        actor.tell(new EventQueueActor.Raised<>(queue));
    }

    /** The queue is gone; answered when none of its wake-ups is unacknowledged. */
    public void settle(CompletionQueue queue, Reply<Void> reply) {
        actor.tell(new EventQueueActor.Settle<>(each -> each == queue, reply));
    }
}
