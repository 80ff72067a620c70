// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.dctarget;

import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.actors.queue.OwnedQueuePairCommand;
import org.hcaactors.actors.queue.QueuePairInput;
import org.hcaactors.actors.queue.ReceiveBuffer;
import org.hcaactors.actors.service.Services;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.actors.stage.CrashAware;
import org.hcaactors.actors.stage.CrashSupervisor;
import org.hcaactors.adapter.audit.Audited;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.dc.DcIngress;
import org.hcaactors.adapter.dc.DcTargetMachine;
import org.hcaactors.adapter.flow.DependencyFailure;
import org.hcaactors.adapter.flow.EventDetail;
import org.hcaactors.adapter.flow.NoSession;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.SessionStep;
import org.hcaactors.adapter.number.ResponderPool.Slot;
import org.hcaactors.adapter.stage.ExpectsReply;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.DcTargetStatus;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpSnapshot;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.actor.FabricActor;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.fabric.time.ActorTimer;
import org.jspecify.annotations.Nullable;

/**
 * Actor of a DC target: receives its peers' packets and passes them to responders, each an actor that it creates and destroys.
 * The machine decides which responder serves which peer, and which peer is refused.
 */
public final class DcTargetActor implements CrashAware<DcTargetActor.Command> {
    /** Commands of a DC target. */
    public sealed interface Command {}

    enum Note implements Command {
        DUE,
        /** A packet with a wrong ICRC was dropped. */
        CORRUPTED,
        CQ_FAILED,
        SHARED_RECEIVES_FAILED,
        /** Another target of the adapter needs a responder. */
        RESPONDER_NEEDED,
        DEVICE_FAILED
    }

    /** @param from buffer in which the packets are counted; null if there is none */
    record Arrived(
            Packet[] batch, long[] traceIds, @Nullable ReceiveBuffer from) implements Command {}

    record Credit(int packets) implements Command {}

    /** The responder no longer serves a peer. */
    record Ended(Slot slot, int expectedPsn, boolean disconnected) implements Command {}

    /** The responder's actor has stopped. */
    record ResponderStopped(Slot slot) implements Command {}

    record Modify(QpModify change, Reply<Void> reply) implements Command, ExpectsReply {}

    record Query(Reply<QpSnapshot> reply) implements Command, ExpectsReply {}

    record Status(Reply<DcTargetStatus> reply) implements Command, ExpectsReply {}

    record Arm(Reply<Void> reply) implements Command, ExpectsReply {}

    record Destroy(Reply<Void> reply) implements Command, ExpectsReply {}

    private final ActorContext<Command> context;
    private final int number;
    private final DcTargetBlueprint blueprint;
    private final Services services;
    private final DcTargetMachine machine;
    private final DcTargetReference self;
    private final Endpoint endpoint;
    private final DcTargetHandle handle;
    private final ActorTimer<Command> alarm;
    private final DcTrace trace;
    private final Audited audited = this::snapshot;
    private final DcResponders responders;
    private final DcTargetReplies answers;
    private long drainedAt = ActorTimer.NEVER;
    private Optional<Destroy> ending = Optional.empty();
    private boolean dropped;

    private DcTargetActor(ActorContext<Command> context, int number, DcTargetBlueprint blueprint, Services services) {
        this.context = context;
        this.number = number;
        this.blueprint = blueprint;
        this.services = services;
        services.receivesGuard().begins(services.adapter(), number);
        machine = blueprint.machine(number, services);
        self = new DcTargetReference(context.getSelf());
        // Only initiators outside may send more than their window.
        endpoint = new Endpoint(
                services.port().address(),
                number,
                services.hasCable() ? ReceiveBuffer.of(self, Element.queuePair(number), services) : self);
        handle = new DcTargetHandle(
                blueprint,
                number,
                services,
                new CommandSender<>(context.getSelf(), services.callers(), "target " + number));
        responders = new DcResponders(number, services);
        answers = new DcTargetReplies(endpoint, services.fabric());
        alarm = new ActorTimer<>(context, Note.DUE);
        trace = new DcTrace(services.trace(), number);
    }

    /** @param reply receives the handle when the target is attached to its queues; EINVAL if one of these is closed */
    static Behavior<Command> create(
            int number, DcTargetBlueprint blueprint, Services services, Reply<DcTargetHandle> reply) {
        return CrashSupervisor.create(reply, () -> blueprint.links().numbers().free(number), context -> {
            DcTargetActor made = new DcTargetActor(context, number, blueprint, services);
            made.attach();
            reply.succeed(made.handle);
            return made;
        });
    }

    private void attach() {
        try {
            blueprint.links().attach(self);
            trace.created(blueprint);
            services.audit().opened(audited);
            services.responders().joins(self);
        } catch (RuntimeException | Error failed) {
            blueprint.links().detach(self);
            throw failed;
        }
    }

    @Override
    public Behavior<Command> on(Command command) {
        switch (command) {
            case Arrived arrived -> arrived(arrived);
            case Credit credit -> answers.credit(credit.packets);
            case Note note -> note(note);
            case Ended ended -> ended(ended);
            case ResponderStopped stopped -> responderStopped(stopped.slot);
            case Modify modify -> services.health().run(modify.reply, () -> modify(modify));
            case Query query -> services.health().run(query.reply, () -> query.reply.succeed(machine.snapshot()));
            case Status status -> services.health().run(status.reply, () -> status.reply.succeed(machine.status()));
            case Arm arm -> services.health().run(arm.reply, () -> arm(arm));
            case Destroy destroy -> drain(destroy);
        }
        answers.send();
        if (ending.isPresent() && responders.isEmpty()) {
            return end(ending.get());
        }
        alarm.arm(now(), Math.min(drainedAt, machine.ingress().nextDeadline()));
        return Behaviors.same();
    }

    private long now() {
        return services.clock().getAsLong();
    }

    private void note(Note note) {
        switch (note) {
            case DUE -> due();
            case CORRUPTED -> services.counters().count(Counter.RX_ICRC_ENCAPSULATED);
            case CQ_FAILED -> fail(DependencyFailure.COMPLETION_QUEUE);
            case SHARED_RECEIVES_FAILED -> fail(DependencyFailure.SHARED_RECEIVES);
            case RESPONDER_NEEDED -> reclaimOne();
            case DEVICE_FAILED -> {
                responders.tellAll(QueuePairInput.Note.DEVICE_FAILED);
                fail(DependencyFailure.DEVICE);
            }
        }
    }

    // rule dc-broken
    private void fail(DependencyFailure reason) {
        if (machine.fail()) {
            handle.entered(machine.state());
            raise(0, AsyncEvent.Kind.QP_FATAL, reason);
        }
    }

    private void raise(long cause, AsyncEvent.Kind kind, Reason reason) {
        services.trace()
                .raise(
                        cause,
                        new AsyncEvent(kind, number),
                        reason,
                        blueprint.links().events());
    }

    private void due() {
        alarm.fired();
        machine.ingress().advance(now());
        if (now() >= drainedAt) {
            drainedAt = ActorTimer.NEVER;
            responders.stopAll();
        }
    }

    private void modify(Modify modify) {
        QpState from = machine.state();
        machine.modify(modify.change);
        if (modify.change.target() == QpState.RTR) {
            services.fabric().tell(new FabricActor.Attach(endpoint));
        }
        handle.entered(machine.state());
        trace.modified(modify.change, from);
        Reply.done(modify.reply);
    }

    private void arm(Arm arm) {
        machine.arm();
        Reply.done(arm.reply);
    }

    // --- packets ---

    /** Consecutive packets for one responder are passed on as one batch. */
    private void arrived(Arrived arrived) {
        Packet[] batch = arrived.batch;
        if (arrived.from != null) {
            arrived.from.leaves(batch.length);
        }
        long now = now();
        int from = 0;
        Slot to = null;
        for (int i = 0; i < batch.length; i++) {
            Slot next = responderFor(batch[i], i < arrived.traceIds.length ? arrived.traceIds[i] : 0, now);
            if (next != to) {
                deliver(to, arrived, from, i);
                from = i;
                to = next;
            }
        }
        deliver(to, arrived, from, batch.length);
    }

    private void deliver(@Nullable Slot to, Arrived arrived, int from, int end) {
        if (to != null) {
            responders.deliver(arrived, from, end, to);
        }
    }

    /** Returns the responder for a packet; null if there is none. */
    private @Nullable Slot responderFor(Packet packet, long event, long now) {
        if (machine.state() == QpState.ERR) {
            trace.failed(event, new NoSession.Broken());
            return null;
        }
        DcIngress.Disposition disposition = machine.arrived(packet, event, now);
        DcTargetMachine.counted(disposition).ifPresent(services.counters()::count);
        switch (disposition) {
            case DcIngress.Served served -> {
                return served.by();
            }
            case DcIngress.Opens opens -> {
                trace.step(event, SessionStep.OPENED, packet, opens.by().sessionId());
                open(opens);
                return opens.by();
            }
            case DcIngress.Answered answered -> answers(packet, answered, event);
            case DcIngress.Dropped dropped -> trace.dropped(packet, event, dropped.reason());
            case DcIngress.Unserved none -> {
                trace.step(event, SessionStep.NO_RESPONDER, packet, 0);
                trace.failed(event, none.reason());
                reclaim();
            }
        }
        return null;
    }

    private void answers(Packet packet, DcIngress.Answered answered, long event) {
        if (answered.syndrome() == Syndrome.NAK_CONNECT) {
            trace.step(event, SessionStep.CNAK_SENT, packet, 0);
            reclaim();
        } else if (answered.syndrome() == Syndrome.NAK_REMOTE_ACCESS) {
            trace.step(event, SessionStep.WRONG_KEY, packet, 0);
        }
        long failed =
                answered.reason().map(reason -> trace.failed(event, reason)).orElse(event);
        if (answered.syndrome() == Syndrome.NAK_REMOTE_ACCESS && machine.reportsViolation()) {
            raise(failed, AsyncEvent.Kind.DCT_KEY_VIOLATION, EventDetail.Plainly.SEE_CAUSE);
        }
        answers.add(machine.answer(packet, answered), event);
    }

    // --- responders ---

    private void open(DcIngress.Opens opens) {
        Slot slot = opens.by();
        QpPlan.Session session = machine.session(opens);
        ActorRef<Command> target = context.getSelf();
        ActorRef<OwnedQueuePairCommand> responder = context.spawn(
                DcResponderActor.create(
                        blueprint,
                        number,
                        session,
                        (expectedPsn, left) -> target.tell(new Ended(slot, expectedPsn, left)),
                        services),
                "dcr-" + slot.sessionId(),
                DispatcherSelector.sameAsParent());
        context.watchWith(responder, new ResponderStopped(slot));
        responders.add(slot, responder);
        for (QpModify step : machine.bringUp(opens)) {
            responder.tell(new OwnedQueuePairCommand.BringUp(step));
        }
    }

    // rule dc-reclaim
    private void reclaim() {
        if (!reclaimOne()) {
            services.responders().requested(self);
        }
    }

    private boolean reclaimOne() {
        Optional<Slot> longest = machine.ingress().requested(now());
        longest.ifPresent(each -> responders.tell(each, OwnedQueuePairCommand.Note.YIELD));
        return longest.isPresent();
    }

    private void ended(Ended ended) {
        Optional<DcIngress.Waiting> again =
                machine.ingress().ended(ended.slot, ended.expectedPsn, !ended.disconnected, now());
        responders.stop(ended.slot);
        again.ifPresent(next -> arrived(new Arrived(
                new Packet[] {next.connect()},
                next.event() == 0 ? QueuePairInput.UNTRACED : new long[] {next.event()},
                null)));
    }

    private void responderStopped(Slot slot) {
        responders.remove(slot);
        machine.ingress().responderEnded(slot);
    }

    // --- the end ---

    // rule dc-drain
    private void drain(Destroy destroy) {
        machine.drain();
        ending = Optional.of(destroy);
        drainedAt = now() + machine.drainNanos();
    }

    private Behavior<Command> end(Destroy destroy) {
        drop();
        handle.commandSender().closeTaken();
        blueprint.links().events().settle(AsyncEvent.Source.QUEUE_PAIR, number, destroy.reply);
        return Behaviors.stopped();
    }

    private void drop() {
        if (!dropped) {
            dropped = true;
            services.fabric().tell(new FabricActor.Detach(endpoint));
            services.responders().leaves(self);
            blueprint.links().detach(self);
            machine.ingress().close();
        }
    }

    @Override
    public Behavior<Command> onSignal(Signal signal) {
        if (signal instanceof PostStop) {
            alarm.disarm();
            CrashSupervisor.attempt(this::drop);
            CrashSupervisor.attempt(() -> services.audit().closed(audited));
            CrashSupervisor.attempt(handle.commandSender()::shut);
            blueprint.links().numbers().free(number);
            return Behaviors.same();
        }
        return Behaviors.unhandled();
    }

    @Override
    public VerbsException crashed(Object message, Throwable crash) {
        answers.clear();
        fail(DependencyFailure.ITS_ACTOR);
        return new VerbsException(Errno.EIO, "DC target " + number + " crashed and is in error", crash);
    }

    private ResourceSnapshot snapshot() {
        return new ResourceSnapshot.QueuePair(
                services.adapter(),
                number,
                machine.state(),
                0,
                0,
                answers.credits(),
                new ResourceSnapshot.Slots(0, 0),
                new ResourceSnapshot.Pending(ActorTimer.NEVER, false, 0, 0, List.of(), false),
                blueprint
                        .links()
                        .queues(blueprint.links().shared().stream().boxed().toList()),
                List.of());
    }
}
