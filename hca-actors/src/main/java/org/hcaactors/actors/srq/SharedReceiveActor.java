// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.actors.completion.CompletionQueueHandle;
import org.hcaactors.actors.service.Services;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.actors.stage.CrashAware;
import org.hcaactors.actors.stage.CrashSupervisor;
import org.hcaactors.adapter.audit.Audited;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.completion.CqUser;
import org.hcaactors.adapter.flow.DependencyFailure;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.adapter.srq.LastMessageWatch;
import org.hcaactors.adapter.srq.ReceiveSlots;
import org.hcaactors.adapter.srq.SharedReceives;
import org.hcaactors.adapter.srq.SrqChecks;
import org.hcaactors.adapter.srq.SrqUser;
import org.hcaactors.adapter.srq.TagQueue;
import org.hcaactors.adapter.stage.ExpectsReply;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.SrqCapacity;
import org.hcaactors.api.queue.SrqSnapshot;
import org.hcaactors.api.tag.TagSnapshot;
import org.hcaactors.mutation.MutationPoint;

/** Actor of one shared receive queue. */
public final class SharedReceiveActor implements CrashAware<SharedReceiveActor.Command> {
    /** Commands of a shared receive queue. */
    public sealed interface Command {}

    /** A queue pair begins to use the queue. */
    record Attach(SrqUser user) implements Command {}

    record Detach(SrqUser user) implements Command {}

    private enum Note implements Command {
        COMPLETION_QUEUE_FAILED,
        ADAPTER_FAILED
    }

    record ArmLimit(int limit, Reply<Void> reply) implements Command, ExpectsReply {}

    record Resize(int maxWr, Reply<Void> reply) implements Command, ExpectsReply {}

    record Query(Reply<SrqSnapshot> reply) implements Command, ExpectsReply {}

    /** Replied when no message can arrive any more. */
    public record AwaitEnd(Reply<Void> reply) implements Command, ExpectsReply {}

    record QueryTags(Reply<TagSnapshot> reply) implements Command, ExpectsReply {}

    record Destroy(Reply<Void> reply) implements Command, ExpectsReply {}

    private final int number;
    private final SharedReceiveBlueprint blueprint;
    private final Services services;
    private final SrqChecks attributes;
    private final SharedReceives receives = new SharedReceives();
    private final ReceiveSlots slots;
    private final Optional<TagQueue> tags;
    private final SharedReceiveHandle handle;

    @MutationPoint("queue-actor.users")
    private final Set<SrqUser> users = new LinkedHashSet<>();

    private final Audited audited = this::snapshot;
    private final CqUser completing;
    private final SrqBehavior behavior;
    private Optional<Throwable> crash = Optional.empty();
    /** True if messages cannot be completed because the completion queue is in error. */
    private boolean completionQueueFailed;

    private boolean detached;

    private final LastMessageWatch end;

    /** Reply of the destroy verb, which waits for the users to detach. */
    private Optional<Reply<Void>> destroying = Optional.empty();

    private SharedReceiveActor(
            int number, SharedReceiveBlueprint blueprint, Services services, ActorRef<Command> self) {
        this.number = number;
        this.blueprint = blueprint;
        this.services = services;
        attributes = new SrqChecks(services.profile().sharedReceives());
        slots = new ReceiveSlots(blueprint.capacity().maxWr());
        CommandSender<Command> commandSender =
                new CommandSender<>(self, services.callers(), "shared receive queue " + number);
        tags = blueprint.srqKind().tags(number, receives, slots, services.trace());
        handle = new SharedReceiveHandle(number, blueprint, slots, receives, tags, services.trace(), commandSender);
        end = new LastMessageWatch(services.health(), handle.describe(), reason -> self.tell(Note.ADAPTER_FAILED));
        completing = () -> self.tell(Note.COMPLETION_QUEUE_FAILED);
        behavior = blueprint.srqKind().behavior(new SrqKind.Parts(number, blueprint.domain(), handle, services));
    }

    static Behavior<Command> create(
            int number, SharedReceiveBlueprint blueprint, Services services, Reply<SharedReceiveHandle> reply) {
        return CrashSupervisor.create(reply, context -> {
            SharedReceiveActor actor = new SharedReceiveActor(number, blueprint, services, context.getSelf());
            actor.enter();
            services.audit().opened(actor.audited);
            reply.succeed(actor.handle);
            return actor;
        });
    }

    private void enter() {
        completions().ifPresent(queue -> queue.attach(completing));
        behavior.created();
    }

    private Optional<CompletionQueueHandle> completions() {
        return blueprint.srqKind().completions();
    }

    /** Idempotent. */
    private void leave() {
        if (detached) {
            return;
        }
        detached = true;
        behavior.destroyed();
        completions().ifPresent(queue -> queue.detach(completing));
    }

    /** Raises SRQ_ERR: nothing can be posted or taken any more, and its queue pairs enter ERR (rule event-crash). */
    @Override
    public VerbsException crashed(Object message, Throwable reason) {
        if (crash.isEmpty()) {
            crash = Optional.of(reason);
            handle.closed();
            close();
            users.forEach(user -> user.sharedReceivesFailed(number));
            end.fail("it crashed");
            raise(AsyncEvent.Kind.SRQ_ERR, DependencyFailure.ITS_ACTOR);
        }
        return inError(reason);
    }

    /** From now on no receive is taken. */
    private void close() {
        receives.close();
        tags.ifPresent(TagQueue::close);
    }

    private VerbsException inError(Throwable reason) {
        return new VerbsException(Errno.EIO, handle.describe() + " crashed and is in error", reason);
    }

    @Override
    public Behavior<Command> on(Command command) {
        if (command instanceof ExpectsReply verb && !(command instanceof Destroy) && isRefused(verb)) {
            return Behaviors.same();
        }
        switch (command) {
            case Attach attach -> {
                users.add(attach.user);
                if (isFailed()) {
                    attach.user.sharedReceivesFailed(number);
                }
            }
            case Detach detach -> {
                users.remove(detach.user);
                if (users.isEmpty() && destroying.isPresent()) {
                    return destroyed(destroying.get());
                }
            }
            case Note.COMPLETION_QUEUE_FAILED -> {
                completionQueueFailed = true;
                close();
                users.forEach(user -> user.sharedReceivesFailed(number));
                end.fail("its completion queue is in error");
            }
            case Note.ADAPTER_FAILED -> end.fail("its adapter is in error, or restarted");
            case AwaitEnd wait -> end.await(wait.reply);
            case ArmLimit arm -> arm(arm);
            case Resize resize -> resize(resize);
            case Query query ->
                query.reply.succeed(SrqSnapshot.of(handle.capacity())
                        .withLimit(receives.limit())
                        .withPosted(receives.size()));
            case QueryTags query -> query.reply.succeed(handle.tags().snapshot());
            case Destroy destroy -> {
                return destroy(destroy.reply);
            }
        }
        return Behaviors.same();
    }

    /** True if the queue has crashed or its adapter is in error. */
    private boolean isRefused(ExpectsReply verb) {
        crash.ifPresent(reason -> verb.reply().fail(inError(reason)));
        return crash.isPresent() || services.health().refuses(verb.reply());
    }

    @Override
    public Behavior<Command> onSignal(Signal signal) {
        if (signal instanceof PostStop) {
            close();
            leave();
            end.leave();
            handle.releasePages();
            services.audit().closed(audited);
            handle.commandSender().shut();
            return Behaviors.same();
        }
        return Behaviors.unhandled();
    }

    private ResourceSnapshot snapshot() {
        OptionalInt completions =
                completions().map(queue -> OptionalInt.of(queue.number())).orElse(OptionalInt.empty());
        return new ResourceSnapshot.SharedReceives(
                services.adapter(),
                number,
                users.size(),
                receives.size(),
                slots.outstanding(),
                completions,
                handle.hasInitiator());
    }

    // rules receive-last, xrc-queue-fails
    /** True if receives are no longer given out, because the queue crashed or its completion queue is in error. */
    private boolean isFailed() {
        return crash.isPresent() || completionQueueFailed;
    }

    private void raise(AsyncEvent.Kind kind, Reason reason) {
        services.trace().raise(new AsyncEvent(kind, number), reason, blueprint.events());
    }

    // rule receive-limit-at-once
    private void arm(ArmLimit arm) {
        try {
            SrqChecks.checkLimit(arm.limit, slots.capacity());
        } catch (VerbsException refused) {
            arm.reply.fail(refused);
            return;
        }
        receives.arm(arm.limit);
        handle.raiseLimit();
        Reply.done(arm.reply);
    }

    // rule receive-resize
    private void resize(Resize resize) {
        AllocatedPages buffer;
        int capacity = attributes.capacityFor(resize.maxWr);
        try {
            attributes.checkResize(resize.maxWr);
            SrqCapacity requested =
                    SrqCapacity.of(capacity).withMaxSge(blueprint.capacity().maxSge());
            buffer = blueprint.allocator().takeSingle(SrqChecks.bufferBytes(requested));
        } catch (VerbsException refused) {
            resize.reply.fail(refused);
            return;
        }
        if (slots.resize(capacity)) {
            handle.resized(buffer);
            Reply.done(resize.reply);
        } else {
            buffer.release();
            resize.reply.fail(VerbsException.invalid("shared receive queue " + number + " can't be resized to "
                    + capacity + " receives; " + slots.outstanding() + " are outstanding"));
        }
    }

    @MutationPoint("shared-receive-actor.destroy")
    private Behavior<Command> destroy(Reply<Void> reply) {
        if (!users.isEmpty() && behavior.waitsForUsers()) {
            return waitForUsers(reply);
        }
        if (!users.isEmpty()) {
            reply.fail(new VerbsException(
                    Errno.EBUSY, "shared receive queue " + number + " is used by " + users.size() + " queue pairs"));
            return Behaviors.same();
        }
        return destroyed(reply);
    }

    /** The users are asked to return the queue's receives and detach. */
    private Behavior<Command> waitForUsers(Reply<Void> reply) {
        behavior.refuseUsers();
        destroying = Optional.of(reply);
        List.copyOf(users).forEach(user -> user.srqDestroying(number));
        return Behaviors.same();
    }

    private Behavior<Command> destroyed(Reply<Void> reply) {
        leave();
        handle.releasePages();
        handle.commandSender().closeTaken();
        blueprint.events().settle(AsyncEvent.Source.SHARED_RECEIVE_QUEUE, number, reply);
        return Behaviors.stopped();
    }
}
