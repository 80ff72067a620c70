// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.notify;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.actors.event.CompletionChannelHandle;
import org.hcaactors.actors.service.Services;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.actors.stage.CrashAware;
import org.hcaactors.actors.stage.CrashSupervisor;
import org.hcaactors.actors.stream.Poller;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.counter.PortCounters;
import org.hcaactors.adapter.flow.NotifyOutcome;
import org.hcaactors.adapter.notify.WaiterEffects;
import org.hcaactors.adapter.notify.WaiterMachine;
import org.hcaactors.adapter.notify.WaiterTrace;
import org.hcaactors.adapter.service.DeviceHealth;
import org.hcaactors.adapter.stage.ExpectsReply;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.stream.FlowOutlet;
import org.hcaactors.adapter.stream.GrantedElements;
import org.hcaactors.adapter.stream.PollCommand;
import org.hcaactors.api.capability.VerbTimes;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.completion.WakeCause;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.fabric.time.ActorTimer;
import org.hcaactors.fabric.time.DeferredActions;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Actor of one thread of a host process that completion queues wake: its machine, and the one stage or subscription that waits
 * as the thread.
 */
public final class WaiterActor implements CrashAware<WaiterActor.Command> {
    /** Commands of a thread. */
    public sealed interface Command {}

    /**
     * Notification of an armed queue; if it becomes an interrupt, the channel receives it.
     *
     * @param services of the queue's adapter
     */
    public record Notify(CompletionQueue queue, Optional<CompletionChannelHandle> channel, Services services)
            implements Command {}

    /** Requests the next wake-up as a stage. */
    public record Await(Reply<WakeCause> reply) implements Command, ExpectsReply {}

    record Subscribe(Flow.Subscriber<? super WakeCause> subscriber) implements Command {}

    enum Interrupt implements Command {
        INSTANCE
    }

    /** The delay of a notification has passed. */
    enum Due implements Command {
        INSTANCE
    }

    /** @param health of the adapter when the queue was created */
    record Named(int queue, DeviceHealth health) implements Command {}

    record QueueFailed(int queue, VerbsException reason) implements Command {}

    /** Replied when the queue's earlier notifications have arrived. */
    record QueueDestroyed(int queue, Reply<Void> reply) implements Command, ExpectsReply {}

    record End(Reply<Void> reply) implements Command, ExpectsReply {}

    /** Replied with EBUSY while a queue refers to the thread. */
    record Destroy(Reply<Void> reply) implements Command, ExpectsReply {}

    private record AdapterFailed(DeviceHealth health, VerbsException reason) implements Command {}

    private record Polled(PollCommand<GrantedElements<WakeCause>> poll) implements Command {}

    /** @param queues created while the adapter had that health */
    private record Watch(Consumer<VerbsException> listener, Set<Integer> queues) {}

    private final Services services;
    private final String name;
    private final WaiterMachine machine;
    private final WaiterTrace trace;
    private final WaiterHandle handle;
    private final Poller<GrantedElements<WakeCause>> poller;
    private final ActorRef<Command> self;
    private final DeferredActions lag;
    /** By health: a restarted adapter has a new one. */
    private final Map<DeviceHealth, Watch> watched = new LinkedHashMap<>();

    private final WaiterEffects effects = new Effects();
    private @Nullable Reply<WakeCause> stage;

    /** Wake-up that was granted to the subscriber and not acknowledged. */
    private Optional<WakeCause> granted = Optional.empty();

    private boolean destroyed;

    private WaiterActor(ActorContext<Command> context, int number, Services services) {
        this.services = services;
        name = "waiter " + number;
        machine = new WaiterMachine(name);
        trace = new WaiterTrace(services.trace(), number);
        self = context.getSelf();
        lag = new DeferredActions(new ActorTimer<>(context, Due.INSTANCE), services.clock());
        handle = new WaiterHandle(number, new CommandSender<>(self, services.callers(), name));
        poller = new Poller<>(context, poll -> self.tell(new Polled(poll)), services.callers(), name, false);
    }

    static Behavior<Command> create(int number, Services services, Reply<WaiterHandle> reply) {
        return CrashSupervisor.create(reply, context -> {
            WaiterActor made = new WaiterActor(context, number, services);
            reply.succeed(made.handle);
            return made;
        });
    }

    /** Earlier wake-ups are not lost. */
    @Override
    public VerbsException crashed(Object message, Throwable crash) {
        return new VerbsException(Errno.EIO, name + " crashed while it answered", crash);
    }

    @Override
    public Behavior<Command> on(Command command) {
        switch (command) {
            case Notify notify -> lag.after(notify.services.nanos(VerbTimes.Step.NOTIFY), () -> reported(notify));
            case Due due -> lag.due();
            case Await await -> await(await.reply);
            case Subscribe subscribe -> subscribe(subscribe.subscriber);
            case Interrupt interrupt -> interrupted();
            case Named named -> named(named);
            case QueueFailed failed -> machine.queueFailed(failed.queue, failed.reason, effects);
            case QueueDestroyed destroyed -> {
                lag.flush();
                watched.values().forEach(watch -> watch.queues.remove(destroyed.queue));
                machine.queueDestroyed(destroyed.queue, effects);
                Reply.done(destroyed.reply);
            }
            case AdapterFailed failed -> adapterFailed(failed);
            case Polled polled -> polled(polled.poll);
            case End end -> {
                end();
                Reply.done(end.reply);
            }
            case Destroy destroy -> {
                return destroy(destroy.reply);
            }
        }
        listen();
        return Behaviors.same();
    }

    @Override
    public Behavior<Command> onSignal(Signal signal) {
        if (signal instanceof PostStop) {
            watched.forEach((health, watch) -> health.whenFailedNoMore(watch.listener));
            handle.is(Waiter.State.GONE);
            if (stage != null) {
                stage.fail(new VerbsException(Errno.ECANCELED, name + " ended while it waited"));
            }
            handle.commandSender().shut();
            return Behaviors.same();
        }
        if (signal instanceof Terminated child) {
            return terminated(child);
        }
        return Behaviors.unhandled();
    }

    private Behavior<Command> terminated(Terminated child) {
        if (poller.wasEnding(child.getRef())) {
            return stoppedOnceNotified();
        }
        if (poller.isSubscription(child.getRef())) {
            takeBack();
        }
        return Behaviors.same();
    }

    // rules notify-unit-off, notify-gone, notify-times
    /** An interrupt is raised immediately; its delays to the channel and to the thread run independently. */
    private void reported(Notify notify) {
        NotifyOutcome outcome = machine.outcome(notify.services.notifyUnit().isOn());
        switch (outcome) {
            case WOKEN, LATCHED -> arrived(notify, outcome);
            case UNIT_OFF -> {
                lag.after(
                        notify.services.nanos(VerbTimes.Step.INTERRUPT), () -> arrived(notify, machine.outcome(false)));
                interruptChannel(notify);
            }
            case THREAD_GONE -> {
                arrived(notify, outcome);
                interruptChannel(notify);
            }
        }
    }

    @MutationPoint("waiter-actor.interrupt-channel")
    private static void interruptChannel(Notify notify) {
        notify.channel.ifPresent(channel -> channel.wake(notify.queue));
    }

    // rule notify-counters
    private void arrived(Notify notify, NotifyOutcome outcome) {
        PortCounters counters = notify.services.counters();
        trace.notified(notify.queue.number(), outcome);
        machine.notified(outcome, effects);
        switch (outcome) {
            case WOKEN -> counters.count(Counter.AS_NOTIFY_DELIVERED);
            case LATCHED -> {
                counters.count(Counter.AS_NOTIFY_DELIVERED);
                counters.count(Counter.AS_NOTIFY_LATCHED);
            }
            case UNIT_OFF, THREAD_GONE -> counters.count(Counter.MSI_FALLBACK);
        }
    }

    // rule notify-device-fatal
    private void named(Named named) {
        machine.named(named.queue);
        trace.named(named.queue);
        Watch existing = watched.get(named.health);
        if (existing != null) {
            existing.queues.add(named.queue);
            return;
        }
        Watch watch = new Watch(
                reason -> self.tell(new AdapterFailed(named.health, reason)), new LinkedHashSet<>(Set.of(named.queue)));
        watched.put(named.health, watch);
        named.health.whenFailed(watch.listener);
    }

    /**
     * A queue created before a restart may register after it, when queues created after the restart are registered as well;
     * those are not affected.
     */
    private void adapterFailed(AdapterFailed failed) {
        Watch watch = watched.remove(failed.health);
        if (watch != null) {
            machine.adapterFailed(watch.queues, failed.reason, effects);
        }
    }

    private void await(Reply<WakeCause> reply) {
        if (poller.isPolled()) {
            reply.fail(new VerbsException(Errno.EBUSY, name + " already waits on behalf of a subscription"));
        } else if (stage != null) {
            reply.fail(new VerbsException(Errno.EBUSY, name + " is already waiting"));
        } else {
            stage = reply;
            machine.waits(effects);
        }
    }

    private void subscribe(Flow.Subscriber<? super WakeCause> requested) {
        FlowOutlet<WakeCause> subscriber = new FlowOutlet<>(requested, handle.commandSender()::threw);
        if (machine.state() == Waiter.State.GONE) {
            poller.refuse(subscriber, VerbsException.invalid(name + " has ended"));
        } else if (stage != null) {
            poller.refuse(subscriber, new VerbsException(Errno.EBUSY, name + " is already waiting"));
        } else {
            poller.subscribe(subscriber, services.callers().subscriptions());
        }
    }

    private void interrupted() {
        if (stage != null) {
            machine.interrupted(new VerbsException(Errno.ECANCELED, name + " was interrupted"), effects);
        }
    }

    private void polled(PollCommand<GrantedElements<WakeCause>> poll) {
        if (poller.isStale(poll)) {
            return;
        }
        switch (poll) {
            case PollCommand.Demanded<GrantedElements<WakeCause>> demanded -> {
                if (demanded.returned() > 0) {
                    granted = Optional.empty();
                }
                poller.demanded(demanded.more());
            }
            case PollCommand.Cancelled<GrantedElements<WakeCause>> cancelled -> {
                poller.cancelled();
                machine.interrupted(
                        new VerbsException(Errno.ECANCELED, "the subscription of " + name + " was cancelled"), effects);
            }
            case PollCommand.Returned<GrantedElements<WakeCause>> returned -> {
                if (returned.undelivered() == 0) {
                    granted = Optional.empty();
                }
                takeBack();
            }
        }
    }

    /** Keeps a wake-up that was not delivered to the subscriber. */
    private void takeBack() {
        granted.ifPresent(cause -> machine.undelivered(cause, effects));
        granted = Optional.empty();
        poller.returned();
    }

    /** A subscriber with demand waits again once it has returned from the previous wake-up. */
    private void listen() {
        if (poller.demand() > 0 && granted.isEmpty() && machine.state() == Waiter.State.RUNNING) {
            machine.waits(effects);
        }
        handle.is(machine.state());
    }

    private void end() {
        if (machine.state() != Waiter.State.GONE) {
            poller.complete();
            machine.end(effects);
            trace.ended();
        }
    }

    private Behavior<Command> destroy(Reply<Void> reply) {
        if (machine.users() > 0) {
            reply.fail(new VerbsException(Errno.EBUSY, name + " is used by " + machine.users() + " completion queues"));
            return Behaviors.same();
        }
        end();
        destroyed = true;
        handle.is(machine.state());
        handle.commandSender().closeTaken();
        Reply.done(reply);
        return stoppedOnceNotified();
    }

    /** The subscribers' actors are children of this one, and must notify them of the end of the stream first. */
    private Behavior<Command> stoppedOnceNotified() {
        return destroyed && !poller.isEnding() ? Behaviors.stopped() : Behaviors.same();
    }

    private final class Effects implements WaiterEffects {
        @Override
        public boolean isSingle() {
            return stage != null;
        }

        @Override
        public void sleep() {
            trace.sleeps();
        }

        @Override
        public void wake(WakeCause cause) {
            trace.wakes(cause);
            Reply<WakeCause> waiting = stage;
            if (waiting != null) {
                stage = null;
                waiting.succeed(cause);
            } else {
                granted = Optional.of(cause);
                poller.grant(GrantedElements.of(new WakeCause[] {cause}));
            }
        }

        @Override
        public void latch(WakeCause cause) {
            trace.keeps(cause);
        }

        @Override
        public void fail(VerbsException reason) {
            trace.waitFailed();
            refuse(reason);
        }

        @Override
        public void refuse(VerbsException reason) {
            Reply<WakeCause> waiting = stage;
            if (waiting != null) {
                stage = null;
                waiting.fail(reason);
            } else if (poller.demand() > 0) {
                poller.fail(reason);
            }
        }
    }
}
