package org.hcaactors.adapter.event;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.ExtensibleBehavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.adapter.stage.Answerable;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.stage.Survival;
import org.hcaactors.adapter.stream.Poll;
import org.hcaactors.adapter.stream.Poller;
import org.hcaactors.adapter.stream.Receipt;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * An event queue: takes what the adapter reports and hands it to a subscriber or, one at a time, to stages. An event counts
 * as acknowledged when the subscriber's {@code onNext} has returned, or when the stage's own actions have run.
 *
 * @param <E> an event
 */
public final class EventQueueActor<E> extends ExtensibleBehavior<EventQueueActor.Command<E>>
        implements Survival.Survivor {
    /** Stages that may wait for an event at one time. */
    private static final int MAX_WAITERS = 1024;

    /** What an event queue understands. */
    public sealed interface Command<E> {}

    public record Raised<E>(E event) implements Command<E> {}

    public record Subscribe<E>(Flow.Subscriber<? super E> subscriber) implements Command<E> {}

    /** The next event as a stage; EBUSY while a subscription polls. */
    public record Next<E>(Reply<E> reply) implements Command<E>, Answerable {}

    /** An object is gone: answered when no event of it is unacknowledged any more. */
    public record Settle<E>(Predicate<E> concerned, Reply<Void> reply) implements Command<E>, Answerable {}

    /** One more, or one less, reports here. */
    public record Users<E>(int change) implements Command<E> {}

    /** Answered EBUSY while anyone reports here. */
    public record Destroy<E>(Reply<Void> reply) implements Command<E>, Answerable {}

    private record Polled<E>(Poll<E> poll) implements Command<E> {}

    private record Acknowledged<E>() implements Command<E> {}

    /**
     * What an event queue is made with.
     *
     * @param name for refusals
     * @param limit of events that wait; beyond it the oldest is dropped
     * @param merges beyond the limit an event that waits already is not added again
     * @param lost told of each that was dropped
     * @param callers where stages complete
     * @param callerDispatcher where subscriptions run
     * @param array makes an array of events
     */
    public record Setup<E>(
            String name,
            int limit,
            boolean merges,
            Runnable lost,
            Executor callers,
            DispatcherSelector callerDispatcher,
            IntFunction<E[]> array) {}

    private final Setup<E> setup;
    private final ActorRef<Command<E>> self;
    private final EventBacklog<E> backlog;
    private final Poller<E> poller;
    private final ArrayDeque<Reply<E>> waiters = new ArrayDeque<>();
    private int users;
    private boolean destroyed;
    private @Nullable Command<E> current;

    private EventQueueActor(ActorContext<Command<E>> context, Setup<E> setup) {
        this.setup = setup;
        self = context.getSelf();
        backlog = new EventBacklog<>(setup.limit, setup.merges, setup.lost);
        poller = new Poller<>(context, poll -> self.tell(new Polled<>(poll)), setup.callers, setup.name, false);
    }

    public static <E> Behavior<Command<E>> create(Setup<E> setup) {
        return Survival.of(context -> new EventQueueActor<>(context, setup));
    }

    /** Nothing is lost: an event that was being taken is taken, perhaps twice, which is legal. */
    @Override
    public void crashed() {
        switch (current) {
            case Raised<E> raised -> backlog.add(raised.event);
            case Answerable verb ->
                verb.reply().fail(new VerbsException(Errno.EIO, setup.name + " crashed while it answered"));
            case null, default -> {}
        }
        current = null;
    }

    @Override
    public Behavior<Command<E>> receive(TypedActorContext<Command<E>> typed, Command<E> command) {
        current = command;
        Behavior<Command<E>> next = on(command);
        current = null;
        return next;
    }

    private Behavior<Command<E>> on(Command<E> command) {
        switch (command) {
            case Raised<E> raised -> backlog.add(raised.event);
            case Subscribe<E> subscribe -> subscribe(subscribe.subscriber);
            case Next<E> next -> next(next.reply);
            case Settle<E> settle -> backlog.settle(settle.concerned, () -> Reply.done(settle.reply));
            case Users<E> change -> users += change.change;
            case Destroy<E> destroy -> {
                return destroy(destroy.reply);
            }
            case Polled<E> polled -> polled(polled.poll);
            case Acknowledged<E> one -> backlog.acknowledge(1);
        }
        grant();
        return Behaviors.same();
    }

    @Override
    public Behavior<Command<E>> receiveSignal(TypedActorContext<Command<E>> typed, Signal signal) {
        if (signal instanceof PostStop) {
            backlog.settleAll();
            failWaiters();
            return Behaviors.same();
        }
        if (signal instanceof Terminated child) {
            if (destroyed) {
                return Behaviors.stopped();
            }
            if (poller.isSubscription(child.getRef())) {
                backlog.giveBackAll();
                poller.returned();
            }
            return Behaviors.same();
        }
        return Behaviors.unhandled();
    }

    private void subscribe(Flow.Subscriber<? super E> subscriber) {
        if (destroyed) {
            poller.refuse(subscriber, VerbsException.invalid(setup.name + " was destroyed"));
        } else if (waiters.isEmpty()) {
            poller.subscribe(subscriber, setup.callerDispatcher);
        } else {
            poller.refuse(subscriber, new VerbsException(Errno.EBUSY, "stages wait for events of " + setup.name));
        }
    }

    private void next(Reply<E> reply) {
        if (poller.isPolled()) {
            reply.fail(new VerbsException(Errno.EBUSY, setup.name + " is polled by a subscription"));
        } else if (waiters.size() == MAX_WAITERS) {
            reply.fail(new VerbsException(
                    Errno.EAGAIN, MAX_WAITERS + " stages wait for events of " + setup.name + " already"));
        } else {
            waiters.add(reply);
        }
    }

    private void polled(Poll<E> poll) {
        if (poller.isStale(poll)) {
            return;
        }
        switch (poll) {
            case Poll.Demanded<E> demanded -> {
                backlog.acknowledge(demanded.returned());
                poller.demanded(demanded.more());
            }
            case Poll.Cancelled<E> cancelled -> poller.cancelled();
            case Poll.Returned<E> returned -> {
                backlog.acknowledge(returned.returned());
                backlog.giveBack(returned.undelivered());
                poller.returned();
            }
        }
    }

    private void grant() {
        while (!waiters.isEmpty() && backlog.size() > 0) {
            waiters.remove().succeed(backlog.fetch(), () -> self.tell(new Acknowledged<>()));
        }
        while (poller.demand() > 0 && backlog.size() > 0) {
            E[] events = setup.array.apply(Math.min(poller.demand(), backlog.size()));
            for (int i = 0; i < events.length; i++) {
                events[i] = backlog.fetch();
            }
            poller.grant(events, Receipt.NONE);
        }
    }

    private Behavior<Command<E>> destroy(Reply<Void> reply) {
        if (users > 0) {
            reply.fail(new VerbsException(Errno.EBUSY, setup.name + " is used by " + users + " completion queues"));
            return Behaviors.same();
        }
        failWaiters();
        destroyed = true;
        Reply.done(reply);
        return poller.complete() ? Behaviors.stopped() : Behaviors.same();
    }

    private void failWaiters() {
        VerbsException gone = new VerbsException(Errno.ECANCELED, setup.name + " was destroyed");
        waiters.forEach(waiter -> waiter.fail(gone));
        waiters.clear();
    }
}
