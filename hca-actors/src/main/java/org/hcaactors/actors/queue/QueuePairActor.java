// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.actors.service.Services;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.actors.stage.CrashAware;
import org.hcaactors.actors.stage.CrashSupervisor;
import org.hcaactors.adapter.audit.Audited;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.stage.ExpectsReply;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.state.QueuePairMachine;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpSnapshot;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.time.ActorTimer;
import org.hcaactors.mutation.MutationPoint;

/**
 * Actor of one queue pair that a program created: passes messages to its machine and executes the effects. It contains no
 * protocol rule. A crash moves the queue pair to ERR, as a hardware fault does.
 */
public final class QueuePairActor implements CrashAware<QueuePairActor.Command>, Audited {
    /** Commands of a queue pair. */
    public sealed interface Command permits QueuePairInput, Bell, Member, Modify, ResetStream, Query, Destroy {}

    /** The caller put work into a ring. */
    enum Bell implements Command {
        SEND,
        RECEIVE
    }

    /** Joins or leaves a multicast group. */
    record Member(PortAddress group, boolean joins, Reply<Void> reply) implements Command, ExpectsReply {}

    record Modify(QpModify change, Reply<Void> reply) implements Command, ExpectsReply {}

    record ResetStream(int stream, Reply<Void> reply) implements Command, ExpectsReply {}

    record Query(Reply<QpSnapshot> reply) implements Command, ExpectsReply {}

    /** @param flush completions of outstanding work are written first, and stay in the completion queue */
    record Destroy(boolean flush, Reply<Void> reply) implements Command, ExpectsReply {}

    private final ActorRef<Command> self;
    private final Services services;
    private final CommandSender<Command> commandSender;
    private final WorkQueues handle;
    private final QueuePairCore core;

    private QueuePairActor(ActorContext<Command> context, int number, QueuePairBlueprint blueprint, Services services) {
        self = context.getSelf();
        this.services = services;
        services.receivesGuard().begins(services.adapter(), number);
        QueuePairLinks links = blueprint.links();
        QueuePairReference reference = new QueuePairReference(self.narrow());
        ReceiveAttachment receives = links.receives().attachment(number, reference, services.trace());
        QpPlan plan = blueprint.plan(number, receives.source(), services);
        commandSender = new CommandSender<>(self, services.callers(), plan);
        handle = new WorkQueues(plan, links, blueprint.buffer(), services.trace(), commandSender);
        ActorTimer<Command> timer = new ActorTimer<>(context, QueuePairInput.Note.DUE);
        core = new QueuePairCore(plan, links, receives, handle, reference, timer, services);
    }

    /**
     * @param reply receives the handle when the queue pair is attached to its port and its completion queues; EINVAL if one of
     *     these, or its shared receive queue, is closed
     */
    static Behavior<Command> create(
            int number, QueuePairBlueprint blueprint, Services services, Reply<WorkQueues> reply) {
        return CrashSupervisor.create(reply, () -> blueprint.links().numbers().free(number), context -> {
            QueuePairActor made = new QueuePairActor(context, number, blueprint, services);
            made.core.attach(made, made.handle.buffer());
            reply.succeed(made.handle);
            return made;
        });
    }

    @Override
    public Behavior<Command> on(Command command) {
        core.begin();
        intake().takeWaiting();
        switch (command) {
            case QueuePairInput input -> core.take(input);
            case Bell bell -> intake().take(bell);
            case Member member ->
                MulticastMembership.change(
                        member, core.endpoint(), core.plan().options().blockOwnMulticast(), services);
            case Modify modify -> modify(modify);
            case ResetStream reset -> services.health().run(reset.reply, () -> resetStream(reset));
            case Query query ->
                services.health()
                        .run(query.reply, () -> query.reply.succeed(machine().snapshot()));
            case Destroy destroy -> {
                return destroy(destroy);
            }
        }
        core.end();
        return Behaviors.same();
    }

    private QueuePairMachine machine() {
        return core.machine();
    }

    // rule event-crash
    /** Flushes outstanding work. Entries that the turn did not take over are taken over in later turns. */
    @Override
    public VerbsException crashed(Object message, Throwable crash) {
        intake().takeRestLater();
        return core.crashed(message, crash);
    }

    /** Stopped by a command or because the network closes: every open stage completes. */
    @Override
    public Behavior<Command> onSignal(Signal signal) {
        if (signal instanceof PostStop) {
            core.disarm();
            while (!intake().close()) {
                Thread.onSpinWait();
            }
            CrashSupervisor.attempt(this::drop);
            CrashSupervisor.attempt(() -> services.audit().closed(this));
            CrashSupervisor.attempt(commandSender::shut);
            core.links().numbers().free(core.plan().number());
            return Behaviors.same();
        }
        return Behaviors.unhandled();
    }

    @Override
    public ResourceSnapshot snapshot() {
        WorkRing<PostedRequest> sends = handle.sendRing();
        return core.snapshot(
                sends.unpolled(),
                new ResourceSnapshot.Slots(sends.inUse(), handle.receiveRing().inUse()));
    }

    private PostedWorkReader intake() {
        return new PostedWorkReader(handle, machine(), core.turn());
    }

    private void resetStream(ResetStream reset) {
        machine().halves().initiator().resetStream(reset.stream);
        QpTrace.streamReset(core.plan(), reset.stream, services.trace());
        Reply.done(reset.reply);
    }

    /** Work posted before the call is taken over first. */
    private void modify(Modify modify) {
        intake().take(Bell.SEND);
        intake().take(Bell.RECEIVE);
        boolean stops = modify.change.target() == QpState.ERR || modify.change.target() == QpState.RESET;
        if (!stops && services.health().refuses(modify.reply)) {
            return;
        }
        try {
            machine().modify(modify.change, core.turn());
            QpTrace.modified(core.plan(), modify.change, services.trace());
            Reply.done(modify.reply);
        } catch (VerbsException refused) {
            modify.reply.fail(refused);
        }
    }

    /**
     * Sends itself the command again while a caller has claimed a slot but not filled it: its request must be answered as well.
     */
    private Behavior<Command> destroy(Destroy destroy) {
        if (!intake().close()) {
            self.tell(destroy);
            return Behaviors.same();
        }
        if (destroy.flush) {
            core.flush();
        }
        drop();
        commandSender.closeTaken();
        core.links().events().settle(AsyncEvent.Source.QUEUE_PAIR, core.plan().number(), destroy.reply);
        return Behaviors.stopped();
    }

    @MutationPoint("queue-pair-actor.drop")
    private void drop() {
        if (core.drop()) {
            handle.buffer().release();
        }
    }
}
