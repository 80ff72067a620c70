package org.hcaactors.adapter.queue;

import java.util.OptionalInt;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ExtensibleBehavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.adapter.completion.CompletionQueueActor;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.Breakdown;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.memory.Lease;
import org.hcaactors.adapter.srq.SharedReceiveActor;
import org.hcaactors.adapter.stage.Answerable;
import org.hcaactors.adapter.stage.Door;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpSnapshot;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.link.FabricActor;
import org.hcaactors.fabric.link.Switchboard;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.time.Alarm;

/**
 * The actor of one queue pair: feeds messages to its machine and has the effects carried out. It holds no rule of the
 * protocol. The machine outlives a crash of the actor, as hardware does, and then fails the connection.
 */
public final class QueuePairActor extends ExtensibleBehavior<QueuePairActor.Command> {
    /** Crashes after which the actor is not started again. */
    private static final int MAX_CRASHES = 3;

    /** What a queue pair understands. */
    public sealed interface Command {}

    /** The caller put work into a ring. */
    enum Bell implements Command {
        SEND,
        RECEIVE
    }

    enum Note implements Command {
        /** The timer fired. */
        DUE,
        /** There is more to send than one turn may. */
        GO_ON,
        /** The actor was started again after it threw. */
        CRASHED,
        CQ_FAILED,
        /** A packet with a wrong ICRC was dropped. */
        CORRUPTED,
        /** The shared receive queue has nothing to take. */
        NO_RECEIVE,
        SRQ_FAILED,
        DEVICE_FAILED
    }

    record Arrived(Packet[] train, long[] traceIds) implements Command {}

    record Credit(int packets) implements Command {}

    record Granted(Lease lease) implements Command {}

    record Refused(int key) implements Command {}

    record Revoke(long grant) implements Command {}

    /** From the shared receive queue. */
    record Taken(Receive receive) implements Command {}

    /** Takes part in a multicast group, or leaves it. */
    record Member(PortAddress group, boolean joins, Reply<Void> reply) implements Command, Answerable {}

    /** So many messages find no receive: a fault, on purpose. */
    record Starve(int messages) implements Command {}

    record Modify(QpModify change, Reply<Void> reply) implements Command, Answerable {}

    record Query(Reply<QpSnapshot> reply) implements Command, Answerable {}

    /** @param flush completions of what is outstanding are written first, and stay */
    record Destroy(boolean flush, Reply<Void> reply) implements Command, Answerable {}

    /** What outlives a crash. */
    private static final class Body {
        final QueuePairMachine machine;
        final WorkQueues handle;
        final QueuePairEar ear;
        final Endpoint endpoint;
        final Outbox outbox;
        int credits = Endpoint.INITIAL_CREDITS;
        int crashes;
        boolean closed;

        Body(ActorRef<Command> self, QpPlan plan, Surroundings around) {
            machine = new QueuePairMachine(plan);
            ear = new QueuePairEar(self);
            handle = new WorkQueues(
                    plan,
                    around,
                    new QueuePairDoor(
                            new Door<>(self, around.callers(), around.waiting(), "queue pair " + plan.number()),
                            around.space()));
            endpoint = new Endpoint(plan.port().address(), plan.number(), ear);
            outbox = new Outbox(plan.number(), handle, ear, endpoint, around);
        }

        /** Takes over what was posted; true if more was announced and has to be come back for. */
        boolean drainSends() {
            WorkRing<Posted> ring = handle.sendRing();
            ring.clearBell();
            for (Posted posted = ring.poll(); posted != null; posted = ring.poll()) {
                machine.postSend(posted, outbox);
            }
            return ring.isBehind();
        }

        boolean drainReceives() {
            WorkRing<Receive> ring = handle.receiveRing();
            ring.clearBell();
            for (Receive receive = ring.poll(); receive != null; receive = ring.poll()) {
                machine.postReceive(receive, outbox);
            }
            return ring.isBehind();
        }

        /** Nobody answers any more: open stages fail, and nothing can be posted. */
        void close() {
            if (closed) {
                return;
            }
            closed = true;
            outbox.discardTrain();
            drainSends();
            machine.destroy(outbox);
            handle.closed();
        }
    }

    private final ActorContext<Command> context;
    private final Body body;
    private final QpPlan plan;
    private final Surroundings around;
    private final Alarm<Command> alarm;
    private boolean goingOn;

    private QueuePairActor(ActorContext<Command> context, Body body, QpPlan plan, Surroundings around) {
        this.context = context;
        this.body = body;
        this.plan = plan;
        this.around = around;
        this.alarm = new Alarm<>(context, Note.DUE);
    }

    public static Command starve(int messages) {
        return new Starve(messages);
    }

    /** The adapter is unusable. */
    public static Command deviceFailed() {
        return Note.DEVICE_FAILED;
    }

    /** @param reply gets the handle when the queue pair is attached to its port and its completion queues */
    public static Behavior<Command> create(QpPlan plan, Surroundings around, Reply<WorkQueues> reply) {
        Body[] made = new Body[1];
        return Behaviors.supervise(Behaviors.<Command>setup(context -> {
                    if (made[0] == null) {
                        made[0] = new Body(context.getSelf(), plan, around);
                        announce(plan, around);
                        attach(made[0], around);
                        reply.succeed(made[0].handle);
                    } else if (++made[0].crashes > MAX_CRASHES) {
                        made[0].close();
                        detach(made[0], around);
                        made[0].handle.shut();
                        return Behaviors.stopped();
                    } else {
                        context.getSelf().tell(Note.CRASHED);
                    }
                    return new QueuePairActor(context, made[0], plan, around);
                }))
                .onFailure(RuntimeException.class, SupervisorStrategy.restart());
    }

    private static void announce(QpPlan plan, Surroundings around) {
        AdapterTrace trace = around.trace();
        if (trace.enabled()) {
            OptionalInt srq =
                    around.srq().map(queue -> OptionalInt.of(queue.number())).orElse(OptionalInt.empty());
            trace.record(
                    0,
                    at -> new HcaEvent.QueuePairCreated(
                            at,
                            trace.port(),
                            plan.number(),
                            plan.transport(),
                            plan.domain(),
                            around.sendCq().number(),
                            around.recvCq().number(),
                            srq));
        }
    }

    private static void attach(Body body, Surroundings around) {
        around.fabric().tell(new FabricActor.Attach(body.endpoint));
        around.sendCq().actor().tell(new CompletionQueueActor.Attach(body.ear));
        around.recvCq().actor().tell(new CompletionQueueActor.Attach(body.ear));
        around.srq().ifPresent(queue -> queue.actor().tell(new SharedReceiveActor.Attach(body.ear)));
    }

    private static void detach(Body body, Surroundings around) {
        around.fabric().tell(new FabricActor.Detach(body.endpoint));
        around.sendCq().actor().tell(new CompletionQueueActor.Detach(body.ear));
        around.recvCq().actor().tell(new CompletionQueueActor.Detach(body.ear));
        around.srq().ifPresent(queue -> queue.actor().tell(new SharedReceiveActor.Detach(body.ear)));
    }

    @Override
    public Behavior<Command> receive(TypedActorContext<Command> typed, Command command) {
        body.outbox.because(0);
        if (command == Bell.RECEIVE) {
            drain(Bell.RECEIVE);
            body.outbox.dispatchCompletions();
            return Behaviors.same();
        }
        boolean timeless = command instanceof Arrived && body.machine.isTimeless();
        long now = timeless ? 0 : around.clock().getAsLong();
        switch (command) {
            case Arrived arrived -> arrived(arrived, now);
            case Bell bell -> drain(bell);
            case Credit credit -> body.credits = Math.min(Endpoint.INITIAL_CREDITS, body.credits + credit.packets);
            case Note note -> note(note, now);
            case Granted granted -> granted(granted.lease, now);
            case Refused refused -> body.machine.leaseRefused(refused.key, now, body.outbox);
            case Revoke revoke -> body.machine.leaseRevoked(revoke.grant, body.outbox);
            case Taken taken -> body.machine.receiveTaken(taken.receive, now, body.outbox);
            case Starve starve -> body.machine.starve(starve.messages);
            case Member member -> member(member);
            case Modify modify -> modify(modify);
            case Query query -> query.reply.succeed(body.machine.snapshot());
            case Destroy destroy -> {
                return destroy(destroy);
            }
        }
        transmit(now);
        body.outbox.dispatchCompletions();
        body.machine.endTurn();
        if (!timeless) {
            alarm.arm(now, body.machine.nextDeadline());
        }
        return Behaviors.same();
    }

    /** The network closes: whoever waits for a stage is told. */
    @Override
    public Behavior<Command> receiveSignal(TypedActorContext<Command> typed, Signal signal) {
        if (signal instanceof PostStop) {
            body.close();
            body.handle.shut();
            return Behaviors.same();
        }
        return Behaviors.unhandled();
    }

    private void arrived(Arrived arrived, long now) {
        Packet[] train = arrived.train;
        for (int i = 0; i < train.length; i++) {
            long id = i < arrived.traceIds.length ? arrived.traceIds[i] : 0;
            body.outbox.because(id);
            body.machine.receive(train[i], id, now, body.outbox);
        }
    }

    private void drain(Bell bell) {
        boolean behind = switch (bell) {
            case SEND -> body.drainSends();
            case RECEIVE -> body.drainReceives();
        };
        if (behind) {
            context.getSelf().tell(bell);
        }
    }

    private void note(Note note, long now) {
        switch (note) {
            case DUE -> {
                alarm.fired();
                body.machine.timeout(now, body.outbox);
            }
            case GO_ON -> goingOn = false;
            case CRASHED -> {
                body.outbox.discardTrain();
                body.machine.fail(Breakdown.ITS_ACTOR, body.outbox);
            }
            case CORRUPTED -> body.outbox.count(Counter.RX_ICRC_ENCAPSULATED);
            case NO_RECEIVE -> body.machine.receiveRefused(now, body.outbox);
            case SRQ_FAILED -> body.machine.sharedReceivesFailed(body.outbox);
            case DEVICE_FAILED -> body.machine.fail(Breakdown.DEVICE, body.outbox);
            case CQ_FAILED -> body.machine.fail(Breakdown.COMPLETION_QUEUE, body.outbox);
        }
    }

    private void member(Member member) {
        if (member.joins) {
            boolean blockOwn = plan.options().blockOwnMulticast();
            around.fabric().tell(new FabricActor.Join(member.group, body.endpoint, blockOwn));
            Reply.done(member.reply);
        } else {
            around.fabric().tell(new FabricActor.Leave(member.group, body.endpoint, left -> {
                if (left) {
                    Reply.done(member.reply);
                } else {
                    member.reply.fail(VerbsException.invalid(
                            "queue pair " + plan.number() + " takes no part in " + member.group));
                }
            }));
        }
    }

    private void granted(Lease lease, long now) {
        AdapterTrace trace = around.trace();
        if (trace.enabled()) {
            body.outbox.because(
                    trace.record(0, at -> new HcaEvent.LeaseGranted(at, trace.port(), plan.number(), lease.key())));
        }
        body.machine.leaseGranted(lease, now, body.outbox);
    }

    /** What was posted before the call takes part in it. */
    private void modify(Modify modify) {
        drain(Bell.SEND);
        drain(Bell.RECEIVE);
        try {
            body.machine.modify(modify.change, body.outbox);
            AdapterTrace trace = around.trace();
            if (trace.enabled()) {
                trace.record(0, at -> new HcaEvent.Modified(at, trace.port(), plan.number(), modify.change));
            }
            Reply.done(modify.reply);
        } catch (VerbsException refused) {
            modify.reply.fail(refused);
        } catch (RuntimeException crash) {
            modify.reply.fail(new VerbsException(Errno.EIO, "queue pair " + plan.number() + " crashed in its modify"));
            throw crash;
        }
    }

    private Behavior<Command> destroy(Destroy destroy) {
        if (destroy.flush) {
            body.drainSends();
            body.drainReceives();
            body.machine.flush(body.outbox);
            body.outbox.dispatchCompletions();
            body.outbox.keepCompletions();
        }
        body.close();
        detach(body, around);
        around.events().settle(AsyncEvent.Source.QUEUE_PAIR, plan.number(), destroy.reply);
        return Behaviors.stopped();
    }

    private void transmit(long now) {
        int budget = Math.min(body.credits, Switchboard.MAX_TRAIN);
        if (budget == 0) {
            return;
        }
        int sent = body.machine.transmit(now, budget, body.outbox);
        if (sent == 0) {
            return;
        }
        body.credits -= sent;
        body.outbox.dispatchTrain();
        if (sent == budget && body.credits > 0 && !goingOn) {
            goingOn = true;
            context.getSelf().tell(Note.GO_ON);
        }
    }
}
