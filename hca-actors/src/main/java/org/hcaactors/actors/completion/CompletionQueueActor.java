// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.completion;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.actors.service.Services;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.actors.stage.CrashAware;
import org.hcaactors.actors.stage.CrashSupervisor;
import org.hcaactors.actors.stream.Poller;
import org.hcaactors.adapter.audit.Audited;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.completion.CompletionGrant;
import org.hcaactors.adapter.completion.CompletionQueueMachine;
import org.hcaactors.adapter.completion.Completions;
import org.hcaactors.adapter.completion.CqChecks;
import org.hcaactors.adapter.completion.CqEffects;
import org.hcaactors.adapter.completion.CqTrace;
import org.hcaactors.adapter.completion.CqUser;
import org.hcaactors.adapter.completion.WorkQueueFeed;
import org.hcaactors.adapter.flow.DependencyFailure;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.adapter.page.BufferKind;
import org.hcaactors.adapter.stage.ExpectsReply;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.stream.Outlet;
import org.hcaactors.adapter.stream.PollCommand;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.fabric.time.ActorTimer;
import org.hcaactors.mutation.MutationPoint;

/** Actor of one completion queue: its machine, at most one subscription that polls it, and the queue pairs that write to it. */
public final class CompletionQueueActor implements CrashAware<CompletionQueueActor.Command> {
    /** Commands of a completion queue. */
    public sealed interface Command {}

    /** New entries. */
    public record Completed(Completions batch) implements Command {}

    /** A queue pair begins to use the queue. */
    record Attach(CqUser user) implements Command {}

    record Detach(CqUser user) implements Command {}

    /** Removes the entries of a queue pair that was reset or destroyed. */
    public record Purge(WorkQueueFeed workQueue) implements Command {}

    /** @param onAdapterThread the subscriber does not block */
    record Subscribe(Outlet<? super CompletionGrant> outlet, boolean onAdapterThread) implements Command {}

    /** @param ended completes when the reader is certain to be notified of its end */
    record Read(ReaderHandle reader, boolean onAdapterThread, Reply<Void> ended) implements Command, ExpectsReply {
        @Override
        public Reply<?> reply() {
            return ended;
        }
    }

    record PollOnce(int max, Reply<List<WorkCompletion>> reply) implements Command, ExpectsReply {}

    record Moderate(int count, Duration period, Reply<Void> reply) implements Command, ExpectsReply {}

    record Resize(int entries, Reply<Void> reply) implements Command, ExpectsReply {}

    /** Replied with EBUSY while a queue pair uses the queue. */
    public record Destroy(Reply<Void> reply) implements Command, ExpectsReply {}

    private record PollRequest(PollCommand<CompletionGrant> poll) implements Command {}

    private enum Due implements Command {
        NOW
    }

    private final int number;
    private final String name;
    private final CompletionQueueBlueprint blueprint;
    private final Services services;
    private final CqChecks attributes;
    private final CqTrace trace;
    private final CompletionQueueMachine machine;
    private final CompletionQueueHandle handle;
    private final Poller<CompletionGrant> poller;
    private final ProducerIndex producerIndex;
    private final ActorTimer<Command> alarm;

    @MutationPoint("queue-actor.users")
    private final Set<CqUser> users = new LinkedHashSet<>();

    private final CqEffects effects = new Effects();
    private final Audited audited = this::snapshot;
    private boolean destroyed;
    private Supplier<VerbsException> inError;

    private CompletionQueueActor(
            ActorContext<Command> context, int number, CompletionQueueBlueprint blueprint, Services services) {
        this.number = number;
        this.name = "completion queue " + number;
        this.blueprint = blueprint;
        this.services = services;
        attributes = new CqChecks(services.profile());
        trace = new CqTrace(services.trace(), number);
        machine = attributes.machine(blueprint.requested());
        int capacity = attributes.capacityFor(blueprint.requested().entries());
        inError =
                () -> new VerbsException(Errno.EIO, name + " overflowed its " + capacity + " entries and is in error");
        ActorRef<Command> self = context.getSelf();
        CommandSender<Command> commandSender = new CommandSender<>(self, services.callers(), name);
        handle = new CompletionQueueHandle(number, blueprint, capacity, machine, services, commandSender);
        producerIndex = new ProducerIndex(blueprint.requested().producerIndex(), commandSender);
        poller = new Poller<>(context, poll -> self.tell(new PollRequest(poll)), services.callers(), name, true);
        alarm = new ActorTimer<>(context, Due.NOW);
    }

    static Behavior<Command> create(
            int number, CompletionQueueBlueprint blueprint, Services services, Reply<CompletionQueueHandle> reply) {
        return CrashSupervisor.create(reply, context -> {
            blueprint.reports().attach(number, services.health());
            CompletionQueueActor actor = new CompletionQueueActor(context, number, blueprint, services);
            services.audit().opened(actor.audited);
            actor.trace.usesPages(blueprint.buffer());
            reply.succeed(actor.handle);
            return actor;
        });
    }

    /** As if hardware could not write the ring any more: CQ_ERR is raised, and the queue pairs enter ERR (rule event-crash). */
    @Override
    public VerbsException crashed(Object message, Throwable crash) {
        boolean first = !machine.hasFailed();
        if (first) {
            inError = () -> new VerbsException(Errno.EIO, name + " crashed and is in error", crash);
        }
        if (message instanceof Completed lost) {
            lost.batch.lose(inError.get());
        }
        machine.fail(effects);
        if (first) {
            effects.overrun(DependencyFailure.ITS_ACTOR);
        }
        return inError.get();
    }

    @Override
    public Behavior<Command> on(Command command) {
        Behavior<Command> next = obey(command);
        handle.subscribed(poller.isPolled());
        return next;
    }

    private Behavior<Command> obey(Command command) {
        switch (command) {
            case Completed completed -> {
                handle.arrived(completed.batch);
                completed(completed.batch);
            }
            case Attach attach -> {
                users.add(attach.user);
                if (machine.hasFailed()) {
                    attach.user.completionQueueFailed();
                }
            }
            case Detach detach -> users.remove(detach.user);
            case Purge purge -> machine.purge(purge.workQueue, effects);
            case Subscribe subscribe -> subscribe(subscribe.outlet, subscribe.onAdapterThread);
            case Read read -> {
                subscribe(read.reader, read.onAdapterThread);
                Reply.done(read.ended);
            }
            case PollRequest polled -> polled(polled.poll);
            case PollOnce once -> pollOnce(once);
            case Moderate moderate -> moderate(moderate);
            case Resize resize -> resize(resize);
            case Due due -> {
                alarm.fired();
                machine.timeout(services.clock().getAsLong(), effects);
                rearm();
            }
            case Destroy destroy -> {
                return destroy(destroy.reply);
            }
        }
        return Behaviors.same();
    }

    @Override
    public Behavior<Command> onSignal(Signal signal) {
        return switch (signal) {
            case Terminated child -> terminated(child);
            case PostStop stop -> {
                alarm.disarm();
                handle.releasePages();
                services.audit().closed(audited);
                handle.ended();
                poller.ownerStopped();
                yield Behaviors.same();
            }
            default -> Behaviors.unhandled();
        };
    }

    private ResourceSnapshot snapshot() {
        return new ResourceSnapshot.CompletionQueue(
                services.adapter(), number, users.size(), machine.occupied(), handle.capacity());
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

    @MutationPoint("completion-queue-actor.completed")
    private void completed(Completions batch) {
        machine.delivered(poller.newlyDelivered());
        machine.completed(batch, machine.needsTime() ? services.clock().getAsLong() : 0, effects);
        rearm();
    }

    @MutationPoint("completion-queue-actor.rearm")
    private void rearm() {
        if (machine.nextDeadline() != ActorTimer.NEVER) {
            alarm.arm(services.clock().getAsLong(), machine.nextDeadline());
        }
    }

    private void subscribe(Outlet<? super CompletionGrant> requested, boolean onAdapterThread) {
        if (destroyed) {
            poller.refuse(requested, VerbsException.invalid(name + " was destroyed"));
        } else if (machine.hasFailed()) {
            poller.refuse(requested, inError.get());
        } else if (onAdapterThread) {
            poller.serveHere(requested);
            machine.grant(effects);
        } else {
            poller.subscribe(requested, services.callers().subscriptions());
        }
    }

    private void polled(PollCommand<CompletionGrant> poll) {
        if (poller.isStale(poll)) {
            return;
        }
        switch (poll) {
            case PollCommand.Demanded<CompletionGrant> demanded -> {
                machine.delivered(poller.newlyDelivered());
                poller.demanded(demanded.more());
                machine.grant(effects);
            }
            case PollCommand.Cancelled<CompletionGrant> cancelled -> poller.cancelled();
            case PollCommand.Returned<CompletionGrant> returned -> takeBack();
        }
    }

    private void takeBack() {
        machine.delivered(poller.newlyDelivered());
        machine.returnUndelivered(effects);
        // Before the subscriber or reader learns of its end: its program may poll then.
        handle.subscribed(false);
        poller.returned();
        handle.subscribed(poller.isPolled());
        machine.grant(effects);
    }

    private void pollOnce(PollOnce once) {
        try {
            checkPoll(once.max);
        } catch (VerbsException refused) {
            once.reply.fail(refused);
            return;
        }
        WorkCompletion[] taken = machine.take(once.max);
        trace.taken(taken.length);
        for (WorkCompletion each : taken) {
            services.audit().completionReceived(services.adapter(), each);
        }
        once.reply.succeed(List.of(taken));
    }

    private void checkPoll(int max) {
        if (machine.hasFailed()) {
            throw inError.get();
        }
        if (poller.isPolled()) {
            throw CqChecks.busy(name);
        }
        CqChecks.checkMax(max);
    }

    private void reportRemoved(CompletionGrant grant) {
        for (int i = 0; i < grant.size(); i++) {
            services.audit().completionReceived(services.adapter(), grant.at(i).entry());
        }
    }

    private void moderate(Moderate moderate) {
        if (services.health().refuses(moderate.reply)) {
            return;
        }
        try {
            attributes.checkModeration(moderate.count, moderate.period);
        } catch (VerbsException refused) {
            moderate.reply.fail(refused);
            return;
        }
        trace.moderated(moderate.count, moderate.period);
        machine.moderate(
                moderate.count, moderate.period.toNanos(), services.clock().getAsLong(), effects);
        rearm();
        Reply.done(moderate.reply);
    }

    private void resize(Resize resize) {
        if (services.health().refuses(resize.reply)) {
            return;
        }
        AllocatedPages buffer;
        try {
            attributes.checkResize(resize.entries);
            buffer = blueprint
                    .allocator()
                    .take(BufferKind.COMPLETION_QUEUE, attributes.bufferBytes(resize.entries, blueprint.entryBytes()));
        } catch (VerbsException refused) {
            resize.reply.fail(refused);
            return;
        }
        int capacity = attributes.capacityFor(resize.entries);
        machine.delivered(poller.newlyDelivered());
        if (machine.resize(capacity)) {
            handle.resized(capacity, buffer);
            trace.usesPages(buffer);
            Reply.done(resize.reply);
        } else {
            buffer.release();
            resize.reply.fail(VerbsException.invalid(name + " can't be resized to " + capacity + " entries; it holds "
                    + machine.size() + " completions besides those being delivered"));
        }
    }

    @MutationPoint("completion-queue-actor.destroy")
    private Behavior<Command> destroy(Reply<Void> reply) {
        if (!users.isEmpty()) {
            reply.fail(new VerbsException(Errno.EBUSY, name + " is used by " + users.size() + " queue pairs"));
            return Behaviors.same();
        }
        destroyed = true;
        handle.releasePages();
        handle.commandSender().closeTaken();
        blueprint.reports().settle(handle).whenComplete((settled, failure) -> settleEvents(reply));
        poller.complete();
        return stoppedOnceNotified();
    }

    /** The subscribers' actors are children of this one, and must notify them of the end of the stream first. */
    private Behavior<Command> stoppedOnceNotified() {
        return destroyed && !poller.isEnding() ? Behaviors.stopped() : Behaviors.same();
    }

    private void settleEvents(Reply<Void> reply) {
        blueprint.events().settle(AsyncEvent.Source.COMPLETION_QUEUE, number, reply);
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
        public void grant(CompletionGrant grant) {
            trace.taken(grant.size());
            if (services.audit().followsBuffers()) {
                reportRemoved(grant);
            }
            poller.grant(grant);
        }

        @Override
        public void complete(Reply<WorkCompletion> stage, WorkCompletion entry) {
            stage.succeed(entry);
        }

        @Override
        public void lose(Reply<WorkCompletion> stage) {
            stage.fail(inError.get());
        }

        @Override
        public void removed(int entries) {
            trace.taken(entries);
        }

        @Override
        public void returned(int entries) {
            trace.returned(entries);
        }

        @Override
        public void produced(long index) {
            if (!destroyed) {
                producerIndex.pass(index);
            }
        }

        @Override
        public void wake() {
            blueprint.reports().wake(handle, trace, services);
        }

        @Override
        public void overrun(Reason reason) {
            trace.raise(AsyncEvent.Kind.CQ_ERR, reason, blueprint.events());
        }

        @Override
        public void failed() {
            handle.failed(inError);
            users.forEach(CqUser::completionQueueFailed);
            blueprint.reports().failed(number, inError.get());
            poller.fail(inError.get());
        }
    }
}
