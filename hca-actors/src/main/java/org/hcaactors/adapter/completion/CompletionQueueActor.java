// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.adapter.books.Account;
import org.hcaactors.adapter.books.Statement;
import org.hcaactors.adapter.event.CompletionChannelHandle;
import org.hcaactors.adapter.event.EventSink;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.Breakdown;
import org.hcaactors.adapter.stage.Answerable;
import org.hcaactors.adapter.stage.Door;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.stage.Survivor;
import org.hcaactors.adapter.stage.Waiting;
import org.hcaactors.adapter.stream.Poll;
import org.hcaactors.adapter.stream.Poller;
import org.hcaactors.api.capability.CompletionCapabilities;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.fabric.time.Alarm;

/** The actor of one completion queue: its machine, at most one subscription that polls it, and the queue pairs that fill it. */
public final class CompletionQueueActor extends Survivor<CompletionQueueActor.Command> {
    /** What a completion queue understands. */
    public sealed interface Command {}

    /** New entries. */
    public record Completed(Completions batch) implements Command {}

    /** A queue pair starts to use the queue. */
    record Attach(CqUser user) implements Command {}

    record Detach(CqUser user) implements Command {}

    /** Takes out the entries of a queue pair that was reset or destroyed. */
    public record Purge(Feed feed) implements Command {}

    /** @param onShard the subscriber promises not to block */
    public record Subscribe(Flow.Subscriber<? super WorkCompletion> subscriber, boolean onShard) implements Command {}

    record PollOnce(int most, Reply<List<WorkCompletion>> reply) implements Command, Answerable {}

    record Armed(CompletionQueue.Arm what) implements Command {}

    record Moderate(int count, Duration period, Reply<Void> reply) implements Command, Answerable {}

    record Resize(int entries, Reply<Void> reply) implements Command, Answerable {}

    /** Answered EBUSY while a queue pair uses the queue. */
    public record Destroy(Reply<Void> reply) implements Command, Answerable {}

    private record Polled(Poll<WorkCompletion> poll) implements Command {}

    private enum Due implements Command {
        NOW
    }

    /**
     * What a completion queue is made with.
     *
     * @param adapter name of the adapter
     * @param number as events name it
     * @param wanted what the caller asked for, checked
     * @param channel where it reports when armed
     * @param profile of the adapter
     * @param trace where it records what happens to it
     * @param clock the network's
     * @param callers where stages complete and refused subscribers are told
     * @param waiting how its callers wait
     * @param callerDispatcher where subscriptions run by default
     * @param shardDispatcher where subscriptions run that promise not to block
     * @param events where CQ_ERR goes
     */
    public record Setup(
            String adapter,
            int number,
            CqDescription wanted,
            Optional<CompletionChannelHandle> channel,
            Profile profile,
            AdapterTrace trace,
            LongSupplier clock,
            Executor callers,
            Waiting waiting,
            DispatcherSelector callerDispatcher,
            DispatcherSelector shardDispatcher,
            EventSink events) {
        String name() {
            return "completion queue " + number;
        }

        /** The next power of two above, less one, as mlx5 gives (rule completion-size). */
        int capacityFor(int entries) {
            return Math.min(profile.completions().maxEntries(), Integer.highestOneBit(entries) * 2 - 1);
        }

        CompletionQueueMachine machine() {
            return new CompletionQueueMachine(new CompletionQueueMachine.Rules(
                    capacityFor(wanted.entries()),
                    wanted.ignoreOverrun(),
                    profile.has(Quirk.CQ_OVERRUN_FAILS_QUEUE_PAIRS),
                    profile.has(Quirk.ARM_FIRES_FOR_UNPOLLED),
                    wanted.timestamps() ? profile.completions().clockKilohertz() : 0));
        }
    }

    private final Setup setup;
    private final CqTrace trace;
    private final CompletionQueueMachine machine;
    private final CompletionQueueHandle handle;
    private final Poller<WorkCompletion> poller;
    private final Alarm<Command> alarm;
    private final Set<CqUser> users = new LinkedHashSet<>();
    private final CqEffects effects = new Effects();
    private final Account account = this::statement;
    private boolean destroyed;
    private String inError;

    private CompletionQueueActor(ActorContext<Command> context, Setup setup) {
        this.setup = setup;
        trace = new CqTrace(setup.trace, setup.number);
        machine = setup.machine();
        inError = setup.name() + " overflowed its " + setup.capacityFor(setup.wanted.entries())
                + " entries and is in error";
        ActorRef<Command> self = context.getSelf();
        handle = new CompletionQueueHandle(
                setup.adapter,
                setup.number,
                setup.capacityFor(setup.wanted.entries()),
                new Door<>(self, setup.callers, setup.waiting, setup.name()));
        poller = new Poller<>(context, poll -> self.tell(new Polled(poll)), setup.callers, setup.name(), true);
        alarm = new Alarm<>(context, Due.NOW);
    }

    public static Behavior<Command> create(Setup setup, Reply<CompletionQueueHandle> reply) {
        return born(reply, context -> {
            setup.channel.ifPresent(CompletionChannelHandle::attach);
            CompletionQueueActor actor = new CompletionQueueActor(context, setup);
            setup.waiting.books().opened(actor.account);
            reply.succeed(actor.handle);
            return actor;
        });
    }

    /** As on hardware that can't write its ring any more: CQ_ERR, and the queue pairs go to ERR (rule event-crash). */
    @Override
    protected VerbsException crashed(Object message) {
        boolean first = !machine.hasFailed();
        if (first) {
            inError = setup.name() + " crashed and is in error";
        }
        if (message instanceof Completed lost) {
            lost.batch.lose(inError());
        }
        machine.fail(effects);
        if (first) {
            effects.overrun(Breakdown.ITS_ACTOR.words());
        }
        return inError();
    }

    @Override
    protected Behavior<Command> on(Command command) {
        switch (command) {
            case Completed completed -> completed(completed.batch);
            case Attach attach -> {
                users.add(attach.user);
                if (machine.hasFailed()) {
                    attach.user.completionQueueFailed();
                }
            }
            case Detach detach -> users.remove(detach.user);
            case Purge purge -> machine.purge(purge.feed, effects);
            case Subscribe subscribe -> subscribe(subscribe);
            case Polled polled -> polled(polled.poll);
            case PollOnce once -> pollOnce(once);
            case Armed armed -> arm(armed.what);
            case Moderate moderate -> moderate(moderate);
            case Resize resize -> resize(resize);
            case Due due -> {
                alarm.fired();
                machine.timeout(setup.clock.getAsLong(), effects);
                rearm();
            }
            case Destroy destroy -> {
                return destroy(destroy.reply);
            }
        }
        return Behaviors.same();
    }

    @Override
    protected Behavior<Command> onSignal(Signal signal) {
        return switch (signal) {
            case Terminated child -> terminated(child);
            case PostStop stop -> {
                alarm.disarm();
                setup.waiting.books().closed(account);
                handle.door().shut();
                yield Behaviors.same();
            }
            default -> Behaviors.unhandled();
        };
    }

    private Statement statement() {
        return new Statement.CompletionQueue(
                setup.adapter, setup.number, users.size(), machine.placesTaken(), handle.capacity());
    }

    private Behavior<Command> terminated(Terminated child) {
        if (poller.isLast(child.getRef())) {
            return Behaviors.stopped();
        }
        if (poller.isSubscription(child.getRef())) {
            takeBack();
        }
        return Behaviors.same();
    }

    private void completed(Completions batch) {
        machine.handedOut(poller.newlyHandedOut());
        machine.completed(batch, machine.needsTime() ? setup.clock.getAsLong() : 0, effects);
        rearm();
    }

    private void arm(CompletionQueue.Arm what) {
        trace.armed(what);
        machine.arm(what, effects);
    }

    private void rearm() {
        if (machine.nextDeadline() != Alarm.NEVER) {
            alarm.arm(setup.clock.getAsLong(), machine.nextDeadline());
        }
    }

    private VerbsException inError() {
        return new VerbsException(Errno.EIO, inError);
    }

    private void subscribe(Subscribe wanted) {
        if (destroyed) {
            poller.refuse(wanted.subscriber, VerbsException.invalid(setup.name() + " was destroyed"));
        } else if (machine.hasFailed()) {
            poller.refuse(wanted.subscriber, inError());
        } else {
            poller.subscribe(wanted.subscriber, wanted.onShard ? setup.shardDispatcher : setup.callerDispatcher);
        }
    }

    private void polled(Poll<WorkCompletion> poll) {
        if (poller.isStale(poll)) {
            return;
        }
        switch (poll) {
            case Poll.Demanded<WorkCompletion> demanded -> {
                machine.handedOut(poller.newlyHandedOut());
                poller.demanded(demanded.more());
                machine.grant(effects);
            }
            case Poll.Cancelled<WorkCompletion> cancelled -> poller.cancelled();
            case Poll.Returned<WorkCompletion> returned -> takeBack();
        }
    }

    private void takeBack() {
        machine.handedOut(poller.newlyHandedOut());
        machine.giveBack(effects);
        poller.returned();
    }

    private void pollOnce(PollOnce once) {
        if (machine.hasFailed()) {
            once.reply.fail(inError());
        } else if (poller.isPolled()) {
            once.reply.fail(new VerbsException(Errno.EBUSY, setup.name() + " is polled by a subscription"));
        } else if (once.most < 1) {
            once.reply.fail(VerbsException.invalid("poll(" + once.most + "); at least 1 is allowed"));
        } else {
            WorkCompletion[] taken = machine.take(once.most);
            trace.taken(taken.length);
            once.reply.succeed(List.of(taken));
        }
    }

    // rule completion-moderation-limits
    private void moderate(Moderate moderate) {
        CompletionCapabilities can = setup.profile.completions();
        if (!can.canModerate()) {
            moderate.reply.fail(new VerbsException(Errno.EOPNOTSUPP, setup.profile.name() + " has no moderation"));
        } else if (moderate.count < 0
                || moderate.count > can.maxModeratedEntries()
                || moderate.period.isNegative()
                || moderate.period.compareTo(can.maxModerationPeriod()) > 0) {
            moderate.reply.fail(VerbsException.invalid(
                    "moderation by " + moderate.count + " entries, " + moderate.period + "; up to "
                            + can.maxModeratedEntries() + " and " + can.maxModerationPeriod() + " is allowed"));
        } else {
            machine.moderate(moderate.count, moderate.period.toNanos());
            trace.moderated(moderate.count, moderate.period);
            Reply.done(moderate.reply);
        }
    }

    private void resize(Resize resize) {
        int most = setup.profile.completions().maxEntries();
        if (resize.entries < 1 || resize.entries > most) {
            resize.reply.fail(VerbsException.invalid(
                    "a completion queue of " + resize.entries + " entries; 1 to " + most + " is allowed"));
            return;
        }
        int capacity = setup.capacityFor(resize.entries);
        machine.handedOut(poller.newlyHandedOut());
        if (machine.resize(capacity)) {
            handle.resized(capacity);
            Reply.done(resize.reply);
        } else {
            resize.reply.fail(VerbsException.invalid("a completion queue of " + capacity + " entries; " + machine.size()
                    + " stand in it, besides what is being delivered"));
        }
    }

    private Behavior<Command> destroy(Reply<Void> reply) {
        if (!users.isEmpty()) {
            reply.fail(new VerbsException(Errno.EBUSY, setup.name() + " is used by " + users.size() + " queue pairs"));
            return Behaviors.same();
        }
        destroyed = true;
        handle.door().obeyed();
        setup.channel.ifPresentOrElse(channel -> settle(channel, reply), () -> settleEvents(reply));
        return poller.complete() ? Behaviors.stopped() : Behaviors.same();
    }

    private void settle(CompletionChannelHandle channel, Reply<Void> reply) {
        channel.settle(handle).whenComplete((settled, gone) -> {
            channel.detach();
            settleEvents(reply);
        });
    }

    private void settleEvents(Reply<Void> reply) {
        setup.events.settle(AsyncEvent.Source.COMPLETION_QUEUE, setup.number, reply);
    }

    private final class Effects implements CqEffects {
        @Override
        public int demand() {
            return poller.demand();
        }

        @Override
        public boolean observed() {
            return trace.enabled();
        }

        @Override
        public void written(WorkCompletion entry, boolean solicited) {
            trace.written(entry, solicited);
        }

        @Override
        public void grant(Grant grant) {
            trace.taken(grant.entries().length);
            poller.grant(grant.entries(), grant);
        }

        @Override
        public void complete(Reply<WorkCompletion> stage, WorkCompletion entry) {
            stage.succeed(entry);
        }

        @Override
        public void lose(Reply<WorkCompletion> stage) {
            stage.fail(inError());
        }

        @Override
        public void taken(int entries) {
            trace.taken(entries);
        }

        @Override
        public void returned(int entries) {
            trace.returned(entries);
        }

        @Override
        public void wake() {
            trace.woken();
            setup.channel.ifPresent(channel -> channel.wake(handle));
        }

        @Override
        public void overrun(String why) {
            trace.raise(AsyncEvent.Kind.CQ_ERR, why, setup.events);
        }

        @Override
        public void failed() {
            users.forEach(CqUser::completionQueueFailed);
            poller.fail(inError());
        }
    }
}
