package org.hcaactors.adapter.device;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.ExtensibleBehavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.adapter.stream.Poll;
import org.hcaactors.adapter.stream.Poller;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.DeviceContext;

/** Asynchronous events of one context, waiting for someone to ask for them. Beyond the backlog the oldest is dropped. */
final class EventStreamActor extends ExtensibleBehavior<EventStreamActor.Command> {
    /** What an event stream understands. */
    sealed interface Command {}

    record Raised(AsyncEvent event) implements Command {}

    record Subscribe(Flow.Subscriber<? super AsyncEvent> subscriber) implements Command {}

    private record Polled(Poll<AsyncEvent> poll) implements Command {}

    private final ArrayDeque<AsyncEvent> backlog = new ArrayDeque<>();
    private final DispatcherSelector callerDispatcher;
    private final Poller<AsyncEvent> poller;

    private EventStreamActor(ActorContext<Command> context, Executor callers, DispatcherSelector callerDispatcher) {
        this.callerDispatcher = callerDispatcher;
        ActorRef<Command> self = context.getSelf();
        poller =
                new Poller<>(context, poll -> self.tell(new Polled(poll)), callers, "the event stream of this context");
    }

    static Behavior<Command> create(Executor callers, DispatcherSelector callerDispatcher) {
        return Behaviors.setup(context -> new EventStreamActor(context, callers, callerDispatcher));
    }

    @Override
    public Behavior<Command> receive(TypedActorContext<Command> typed, Command command) {
        switch (command) {
            case Raised raised -> {
                if (backlog.size() == DeviceContext.EVENT_BACKLOG) {
                    backlog.remove();
                }
                backlog.add(raised.event);
            }
            case Subscribe subscribe -> poller.subscribe(subscribe.subscriber, callerDispatcher);
            case Polled polled -> polled(polled.poll);
        }
        grant();
        return Behaviors.same();
    }

    @Override
    public Behavior<Command> receiveSignal(TypedActorContext<Command> typed, Signal signal) {
        return Behaviors.unhandled();
    }

    private void polled(Poll<AsyncEvent> poll) {
        if (poller.isStale(poll)) {
            return;
        }
        switch (poll) {
            case Poll.Demanded<AsyncEvent> demanded -> poller.demanded(demanded.more());
            case Poll.Cancelled<AsyncEvent> cancelled -> poller.cancelled();
            case Poll.Returned<AsyncEvent> returned -> {
                for (AsyncEvent event : returned.undelivered().reversed()) {
                    backlog.addFirst(event);
                }
                poller.returned();
            }
        }
    }

    private void grant() {
        while (poller.demand() > 0 && !backlog.isEmpty()) {
            AsyncEvent[] events = new AsyncEvent[Math.min(poller.demand(), backlog.size())];
            for (int i = 0; i < events.length; i++) {
                events[i] = backlog.remove();
            }
            poller.grant(events);
        }
    }
}
