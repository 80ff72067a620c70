// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.event;

import java.util.ArrayDeque;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.actors.stage.Callers;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.actors.stage.CrashAware;
import org.hcaactors.actors.stage.CrashSupervisor;
import org.hcaactors.actors.stream.Poller;
import org.hcaactors.adapter.event.EventBacklog;
import org.hcaactors.adapter.stage.ExpectsReply;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.stage.SubscriberCalls;
import org.hcaactors.adapter.stream.FlowOutlet;
import org.hcaactors.adapter.stream.GrantedElements;
import org.hcaactors.adapter.stream.PollCommand;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.fabric.time.ActorTimer;
import org.hcaactors.fabric.time.DeferredActions;
import org.hcaactors.mutation.MutationPoint;

/**
 * Actor of an event queue: receives events of the adapter and delivers them to a subscriber or, one at a time, to stages. An
 * event is acknowledged when the subscriber's {@code onNext} has returned, or when the stage's own actions have run.
 *
 * @param <E> an event
 */
public final class EventQueueActor<E> implements CrashAware<EventQueueActor.Command<E>> {
    /** Maximum number of stages that wait for an event at the same time. */
    private static final int MAX_WAITERS = 1024;

    /** Commands of an event queue. */
    public sealed interface Command<E> {}

    public record Raised<E>(E event) implements Command<E> {}

    public record Subscribe<E>(Flow.Subscriber<? super E> subscriber) implements Command<E> {}

    /** Requests the next event as a stage; EBUSY while a subscription polls. */
    public record Next<E>(Reply<E> reply) implements Command<E>, ExpectsReply {}

    /** Replies when no event of a destroyed object is unacknowledged any more. */
    public record Settle<E>(Predicate<E> concerned, Reply<Void> reply) implements Command<E>, ExpectsReply {}

    /** Attaches or detaches a completion queue. */
    public record Users<E>(int change) implements Command<E> {}

    /** Replied with EBUSY while a completion queue is attached. */
    public record Destroy<E>(Reply<Void> reply) implements Command<E>, ExpectsReply {}

    private record Polled<E>(PollCommand<GrantedElements<E>> poll) implements Command<E> {}

    private record Acknowledged<E>() implements Command<E> {}

    /** The delay of an event has passed. */
    private record Due<E>() implements Command<E> {}

    /**
     * Parameters of an event queue.
     *
     * @param name for refusals
     * @param limit of waiting events; beyond it the oldest is dropped
     * @param merges beyond the limit an event that waits already is not added again
     * @param lost called for each dropped event
     * @param array creates an array of events
     * @param late delay of an event, in nanoseconds
     */
    public record Plan<E>(
            String name,
            int limit,
            boolean merges,
            Runnable lost,
            Callers callers,
            IntFunction<E[]> array,
            LongSupplier clock,
            long late) {
        /** Creates the parameters of a queue without delay. */
        public Plan(String name, int limit, boolean merges, Runnable lost, Callers callers, IntFunction<E[]> array) {
            this(name, limit, merges, lost, callers, array, () -> 0, 0);
        }
    }

    private final Plan<E> plan;
    private final ActorRef<Command<E>> self;
    private final EventBacklog<E> backlog;
    private final Poller<GrantedElements<E>> poller;
    private final ArrayDeque<Reply<E>> waiters = new ArrayDeque<>();
    private final DeferredActions lag;
    private int users;
    private final CommandSender<Command<E>> commandSender;
    private boolean destroyed;

    private EventQueueActor(ActorContext<Command<E>> context, Plan<E> plan) {
        this.plan = plan;
        self = context.getSelf();
        commandSender = new CommandSender<>(self, plan.callers, plan.name);
        lag = new DeferredActions(new ActorTimer<>(context, new Due<>()), plan.clock);
        backlog = new EventBacklog<>(plan.limit, plan.merges, plan.lost);
        poller = new Poller<>(context, poll -> self.tell(new Polled<>(poll)), plan.callers, plan.name, false);
    }

    /** @param create receives the command sender */
    public static <E> Behavior<Command<E>> create(Plan<E> plan, Consumer<CommandSender<Command<E>>> create) {
        return CrashSupervisor.of(context -> {
            EventQueueActor<E> made = new EventQueueActor<>(context, plan);
            create.accept(made.commandSender);
            return made;
        });
    }

    /** Waiting events are not lost. */
    @Override
    public VerbsException crashed(Object message, Throwable crash) {
        return new VerbsException(Errno.EIO, plan.name + " crashed while it answered", crash);
    }

    @Override
    public Behavior<Command<E>> on(Command<E> command) {
        switch (command) {
            case Raised<E> raised -> lag.after(plan.late, () -> backlog.add(raised.event));
            case Due<E> due -> lag.due();
            case Subscribe<E> subscribe -> subscribe(subscribe.subscriber);
            case Next<E> next -> next(next.reply);
            case Settle<E> settle -> {
                lag.flush();
                backlog.settle(settle.concerned, () -> Reply.done(settle.reply));
            }
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
    public Behavior<Command<E>> onSignal(Signal signal) {
        if (signal instanceof PostStop) {
            CrashSupervisor.attempt(lag::flush);
            backlog.settleAll();
            failWaiters();
            commandSender.shut();
            return Behaviors.same();
        }
        if (signal instanceof Terminated child) {
            if (poller.wasEnding(child.getRef())) {
                return stoppedOnceNotified();
            }
            if (poller.isSubscription(child.getRef())) {
                backlog.putBackAll();
                poller.returned();
            }
            return Behaviors.same();
        }
        return Behaviors.unhandled();
    }

    private void subscribe(Flow.Subscriber<? super E> requested) {
        FlowOutlet<E> subscriber = new FlowOutlet<>(requested, commandSender::threw);
        if (destroyed) {
            poller.refuse(subscriber, VerbsException.invalid(plan.name + " was destroyed"));
        } else if (waiters.isEmpty()) {
            poller.subscribe(subscriber, plan.callers.subscriptions());
        } else {
            poller.refuse(
                    subscriber,
                    new VerbsException(
                            Errno.EBUSY, plan.name + " can't be subscribed to while stages wait for its events"));
        }
    }

    private void next(Reply<E> reply) {
        if (poller.isPolled()) {
            reply.fail(new VerbsException(Errno.EBUSY, plan.name + " is polled by a subscription"));
        } else if (waiters.size() == MAX_WAITERS) {
            reply.fail(new VerbsException(
                    Errno.EAGAIN, MAX_WAITERS + " stages already wait for events of " + plan.name + ", the maximum"));
        } else {
            waiters.add(reply);
        }
    }

    private void polled(PollCommand<GrantedElements<E>> poll) {
        if (poller.isStale(poll)) {
            return;
        }
        switch (poll) {
            case PollCommand.Demanded<GrantedElements<E>> demanded -> {
                backlog.acknowledge(demanded.returned());
                poller.demanded(demanded.more());
            }
            case PollCommand.Cancelled<GrantedElements<E>> cancelled -> poller.cancelled();
            case PollCommand.Returned<GrantedElements<E>> returned -> {
                backlog.acknowledge(returned.returned());
                backlog.putBack(returned.undelivered());
                poller.returned();
            }
        }
    }

    private void grant() {
        while (!waiters.isEmpty() && backlog.size() > 0) {
            SubscriberCalls calls = plan.callers.calls();
            waiters.remove().succeed(backlog.fetch(), calls::begins, () -> {
                calls.ends();
                self.tell(new Acknowledged<>());
            });
        }
        while (poller.demand() > 0 && backlog.size() > 0) {
            E[] events = plan.array.apply(Math.min(poller.demand(), backlog.size()));
            for (int i = 0; i < events.length; i++) {
                events[i] = backlog.fetch();
            }
            poller.grant(GrantedElements.of(events));
        }
    }

    @MutationPoint("event-queue-actor.destroy")
    private Behavior<Command<E>> destroy(Reply<Void> reply) {
        if (users > 0) {
            reply.fail(new VerbsException(Errno.EBUSY, plan.name + " is used by " + users + " completion queues"));
            return Behaviors.same();
        }
        failWaiters();
        destroyed = true;
        commandSender.closeTaken();
        Reply.done(reply);
        poller.complete();
        return stoppedOnceNotified();
    }

    /** The subscriber's actor is a child of this one, and must notify it of the end of the stream first. */
    private Behavior<Command<E>> stoppedOnceNotified() {
        return destroyed && !poller.isEnding() ? Behaviors.stopped() : Behaviors.same();
    }

    private void failWaiters() {
        VerbsException failure = new VerbsException(Errno.ECANCELED, plan.name + " was destroyed");
        waiters.forEach(waiter -> waiter.fail(failure));
        waiters.clear();
    }
}
