// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.Optional;
import java.util.function.Function;
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
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.DependencyFailure;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.adapter.stage.ExpectsReply;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.state.QueuePairMachine;
import org.hcaactors.adapter.state.UnconfirmedAnswer;
import org.hcaactors.adapter.tag.FetchOrder;
import org.hcaactors.adapter.tag.TagMatch;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.adapter.work.ReceiveSource;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpSnapshot;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.actor.FabricActor;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.link.Switchboard;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.time.ActorTimer;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Actor of one queue pair: passes messages to its machine and executes the effects. It contains no protocol rule. A crash moves
 * the queue pair to ERR, as a hardware fault does.
 */
public final class QueuePairActor implements CrashAware<QueuePairActor.Command>, Audited {
    /** Commands of a queue pair. */
    public sealed interface Command {}

    /** The caller put work into a ring. */
    enum Bell implements Command {
        SEND,
        RECEIVE
    }

    enum Note implements Command {
        /** The timer fired. */
        DUE,
        /** More packets are ready than one turn may send. */
        CONTINUE,
        CQ_FAILED,
        /** A packet with a wrong ICRC was dropped. */
        CORRUPTED,
        DEVICE_FAILED,
        /** Another peer needs this responder. */
        YIELD
    }

    /** @param from receive buffer to release when the packets are handled, if they were in one */
    record Arrived(
            Packet[] batch, long[] traceIds, @Nullable ReceiveBuffer from) implements Command {}

    record Credit(int packets) implements Command {}

    record Granted(Lease lease) implements Command {}

    record Refused(int key, Denial reason) implements Command {}

    record Revoke(long grant) implements Command {}

    /** A request's key change was executed or refused. */
    record KeyChanged(long ticket, Optional<Denial> refusal) implements Command {}

    /** A key change by a peer's message was executed or refused. */
    record Invalidated(long ticket, Optional<Denial> refusal) implements Command {}

    /**
     * Absent pages were brought in, or cannot be.
     *
     * @param event causing event, 0 if nothing is traced
     */
    record PagesServed(PageFault.Kind kind, long ticket, long event, Optional<Denial> refusal) implements Command {}

    /** A match of the tag-matching queue. */
    record Matched(TagMatch match) implements Command {}

    /**
     * Fetch the data of a rendezvous message from its sender.
     *
     * @param cause id of the causing event
     */
    record Fetch(FetchOrder order, long cause) implements Command {}

    /** The tag-matching queue has no receive for the message. */
    record NoReceive() implements Command {}

    record SharedFailed(int queue) implements Command {}

    record SrqDestroying(int queue) implements Command {}

    /** Joins or leaves a multicast group. */
    record Member(PortAddress group, boolean joins, Reply<Void> reply) implements Command, ExpectsReply {}

    record Modify(QpModify change, Reply<Void> reply) implements Command, ExpectsReply {}

    /** A state change while a responder is brought up. */
    record BringUp(QpModify step) implements Command {}

    record ResetStream(int stream, Reply<Void> reply) implements Command, ExpectsReply {}

    record Query(Reply<QpSnapshot> reply) implements Command, ExpectsReply {}

    /** @param flush completions of outstanding work are written first, and stay in the completion queue */
    record Destroy(boolean flush, Reply<Void> reply) implements Command, ExpectsReply {}

    private final ActorContext<Command> context;
    private final QpPlan plan;
    private final QueuePairLinks links;
    private final Services services;
    private final QueuePairMachine machine;
    private final CommandSender<Command> commandSender;
    private final WorkQueues handle;
    private final QueuePairReference reference;
    private final Endpoint endpoint;
    private final ReceiveAttachment receives;
    private final TurnEffects outbox;
    private final Turn turn;
    private final ActorTimer<Command> alarm;
    private int credits = Endpoint.INITIAL_CREDITS;
    private boolean continuing;
    private boolean dropped;
    /** Number of answers from shared receive queues that the machine had processed before this turn. */
    private int srqAnswers;

    private Optional<QueuePairLinks.SessionEnd> served;

    private QueuePairActor(
            ActorContext<Command> context,
            int number,
            Function<ReceiveSource, QpPlan> planning,
            QueuePairLinks links,
            AllocatedPages buffer,
            Services services) {
        this.context = context;
        reference = new QueuePairReference(context.getSelf());
        receives = links.receives().attachment(number, reference, services.trace());
        plan = planning.apply(receives.source());
        this.links = links;
        this.services = services;
        if (plan.session().isEmpty()) {
            services.receivesGuard().begins(services.adapter(), plan.number());
        }
        machine = new QueuePairMachine(
                plan, receives -> services.receivesGuard().around(services.adapter(), plan.number(), receives));
        commandSender = new CommandSender<>(context.getSelf(), services.callers(), plan);
        handle = new WorkQueues(plan, links, buffer, services.trace(), commandSender);
        endpoint = ReceiveBuffer.endpoint(plan, machine.halves().transport(), reference, services);
        outbox = new TurnEffects(plan, handle, reference, endpoint, links, receives, services);
        turn = new Turn(services.clock(), outbox, QpTrace.of(plan.element(), services.trace(), links));
        alarm = new ActorTimer<>(context, Note.DUE);
        served = links.served();
    }

    /**
     * @param planning creates the plan for the source of its receives
     * @param reply receives the handle when the queue pair is attached to its port and its completion queues; EINVAL if one of
     *     these, or its shared receive queue, is closed
     */
    static Behavior<Command> create(
            int number,
            Function<ReceiveSource, QpPlan> planning,
            QueuePairLinks links,
            AllocatedPages buffer,
            Services services,
            Reply<WorkQueues> reply) {
        return CrashSupervisor.create(reply, () -> links.numbers().free(number), context -> {
            QueuePairActor made = new QueuePairActor(context, number, planning, links, buffer, services);
            made.attach();
            reply.succeed(made.handle);
            return made;
        });
    }

    /** Attaches to all queues; if one refuses, or on a crash, detaches from all. */
    private void attach() {
        try {
            links.attach(reference);
            if (plan.session().isEmpty()) {
                services.fabric().tell(new FabricActor.Attach(endpoint));
            }
            QpTrace.created(plan, services.trace(), links, handle.buffer());
            services.audit().opened(this);
        } catch (RuntimeException | Error failed) {
            detach();
            throw failed;
        }
    }

    @MutationPoint("queue-pair-actor.detach")
    private void detach() {
        if (plan.session().isEmpty()) {
            services.fabric().tell(new FabricActor.Detach(endpoint));
        }
        receives.leave();
        links.detach(reference);
    }

    @Override
    public Behavior<Command> on(Command command) {
        turn.begin();
        srqAnswers = machine.srqAnswers();
        intake().takeWaiting();
        switch (command) {
            case Arrived arrived -> machine.receive(ReceiveBuffer.take(arrived), arrived.traceIds, turn);
            case Bell bell -> intake().take(bell);
            case Credit credit -> credits = Math.min(Endpoint.INITIAL_CREDITS, credits + credit.packets);
            case Note note -> note(note);
            case Granted granted -> {
                turn.handles(QpTrace.granted(plan, granted.lease, services.trace()));
                machine.leaseGranted(granted.lease, turn);
            }
            case Refused refused -> machine.leaseRefused(refused.key, refused.reason, turn);
            case Revoke revoke -> machine.leaseRevoked(revoke.grant, turn);
            case KeyChanged changed -> machine.keyChanged(changed.ticket, changed.refusal, turn);
            case Invalidated done -> machine.invalidated(done.ticket, done.refusal, turn);
            case PagesServed served -> {
                turn.handles(served.event);
                machine.pagesServed(served.kind, served.ticket, served.refusal, turn);
            }
            case Matched matched -> machine.receiveMatched(matched.match, turn);
            case Fetch fetch -> machine.fetch(fetch.order, fetch.cause, turn);
            case NoReceive none -> machine.receiveRefused(turn);
            case SharedFailed failed -> machine.sharedReceivesFailed(failed.queue, turn);
            case SrqDestroying goes -> machine.srqDestroyed(goes.queue, turn);
            case Member member ->
                MulticastMembership.change(member, endpoint, plan.options().blockOwnMulticast(), services);
            case Modify modify -> modify(modify);
            case BringUp up -> {
                // If the responder crashed meanwhile, its target has already been notified of its end.
                if (machine.state() != QpState.ERR) {
                    machine.apply(up.step, turn);
                    QpTrace.modified(plan, up.step, services.trace());
                }
            }
            case ResetStream reset -> services.health().run(reset.reply, () -> resetStream(reset));
            case Query query -> services.health().run(query.reply, () -> query.reply.succeed(machine.snapshot()));
            case Destroy destroy -> {
                return destroy(destroy);
            }
        }
        transmit();
        outbox.dispatchCompletions();
        machine.endTurn();
        long deadline = machine.nextDeadline();
        if (!alarm.firesBy(deadline)) {
            alarm.arm(turn.now(), deadline);
        }
        reportEnd();
        return Behaviors.same();
    }

    // rule dc-responder
    /** Reports the end of a responder in error, once; its target destroys it. */
    private void reportEnd() {
        if (served.isPresent() && machine.state() == QpState.ERR) {
            served.get().ended(machine.snapshot().receivePsn(), machine.report().wasDisconnected());
            served = Optional.empty();
        }
    }

    // rule event-crash
    /** Flushes outstanding work. Entries that the turn did not take over are taken over in later turns. */
    @Override
    public VerbsException crashed(Object message, Throwable crash) {
        outbox.discardBatch();
        turn.begin();
        intake().takeRestLater();
        if (message instanceof Granted granted) {
            granted.lease.release();
        }
        machine.fail(DependencyFailure.ITS_ACTOR, turn);
        UnconfirmedAnswer.deliver(machine, srqAnswers, () -> srqAnswered(message));
        outbox.dispatchCompletions();
        machine.endTurn();
        reportEnd();
        return new VerbsException(Errno.EIO, "queue pair " + plan.number() + " crashed and is in error", crash);
    }

    private void srqAnswered(Object message) {
        switch (message) {
            case Matched matched -> machine.receiveMatched(matched.match(), turn);
            case NoReceive none -> machine.receiveRefused(turn);
            default -> {}
        }
    }

    /** Stopped by a command or because the network closes: every open stage completes. */
    @Override
    public Behavior<Command> onSignal(Signal signal) {
        if (signal instanceof PostStop) {
            alarm.disarm();
            while (!intake().close()) {
                Thread.onSpinWait();
            }
            CrashSupervisor.attempt(this::drop);
            CrashSupervisor.attempt(() -> services.audit().closed(this));
            CrashSupervisor.attempt(commandSender::shut);
            links.numbers().free(plan.number());
            return Behaviors.same();
        }
        return Behaviors.unhandled();
    }

    @Override
    public ResourceSnapshot snapshot() {
        WorkRing<PostedRequest> sends = handle.sendRing();
        ResourceSnapshot.Slots slots =
                new ResourceSnapshot.Slots(sends.inUse(), handle.receiveRing().inUse());
        return machine.report()
                .snapshot(services.adapter(), sends.unpolled(), credits, slots, links.queues(receives.numbers()));
    }

    private PostedWorkReader intake() {
        return new PostedWorkReader(handle, machine, turn);
    }

    private void note(Note note) {
        switch (note) {
            case DUE -> {
                alarm.fired();
                machine.timeout(turn);
            }
            case CONTINUE -> continuing = false;
            case CORRUPTED -> outbox.count(Counter.RX_ICRC_ENCAPSULATED);
            case YIELD -> machine.halves().target().yields();
            case DEVICE_FAILED -> machine.fail(DependencyFailure.DEVICE, turn);
            case CQ_FAILED -> machine.fail(DependencyFailure.COMPLETION_QUEUE, turn);
        }
    }

    private void resetStream(ResetStream reset) {
        machine.halves().initiator().resetStream(reset.stream);
        QpTrace.streamReset(plan, reset.stream, services.trace());
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
            machine.modify(modify.change, turn);
            QpTrace.modified(plan, modify.change, services.trace());
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
            context.getSelf().tell(destroy);
            return Behaviors.same();
        }
        if (destroy.flush) {
            CrashSupervisor.attempt(() -> machine.flush(turn));
            CrashSupervisor.attempt(outbox::dispatchCompletions);
            outbox.keepCompletions();
        }
        drop();
        commandSender.closeTaken();
        links.events().settle(AsyncEvent.Source.QUEUE_PAIR, plan.number(), destroy.reply);
        return Behaviors.stopped();
    }

    /** Fails open stages, releases leases and detaches from all queues; called however the actor ends. */
    @MutationPoint("queue-pair-actor.drop")
    private void drop() {
        if (!dropped) {
            dropped = true;
            outbox.discardBatch();
            CrashSupervisor.attempt(() -> machine.leave(turn));
            CrashSupervisor.attempt(() -> machine.reset(turn));
            detach();
            handle.buffer().release();
        }
    }

    private void transmit() {
        int budget = Math.min(credits, Switchboard.MAX_BATCH);
        if (budget == 0) {
            return;
        }
        int sent = machine.transmit(budget, turn);
        if (sent == 0) {
            return;
        }
        credits -= outbox.dispatchBatch();
        if (sent == budget && credits > 0 && !continuing) {
            continuing = true;
            context.getSelf().tell(Note.CONTINUE);
        }
    }
}
