// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.actors.service.Services;
import org.hcaactors.actors.stage.CrashSupervisor;
import org.hcaactors.adapter.audit.Audited;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.DependencyFailure;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.adapter.state.QueuePairMachine;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.adapter.work.ReceiveSource;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.fabric.actor.FabricActor;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.link.Switchboard;
import org.hcaactors.fabric.time.ActorTimer;
import org.hcaactors.mutation.MutationPoint;

/**
 * Machine of a queue pair in its turns: takes inputs, sends packets as far as credits allow, writes completions, and keeps the
 * timer. It is used by the actor of its queue pair alone, which calls {@link #begin} and {@link #end} around each message.
 */
public final class QueuePairCore {
    private final QpPlan plan;
    private final QueuePairLinks links;
    private final ReceiveAttachment receives;
    private final QueuePairReference reference;
    private final ActorTimer<?> timer;
    private final Services services;

    /** Its packets arrive at the port, not through the object that it belongs to. */
    private final boolean onPort;

    private final QueuePairMachine machine;
    private final Endpoint endpoint;
    private final TurnEffects effects;
    private final Turn turn;
    private int credits = Endpoint.INITIAL_CREDITS;
    private boolean continuing;
    private boolean dropped;

    /**
     * Creates the core of a queue pair that a program created.
     *
     * @param timer sends {@link QueuePairInput.Note#DUE}
     */
    QueuePairCore(
            QpPlan plan,
            QueuePairLinks links,
            ReceiveAttachment receives,
            WorkSlots slots,
            QueuePairReference reference,
            ActorTimer<?> timer,
            Services services) {
        this(plan, links, receives, slots, reference, timer, true, services);
    }

    private QueuePairCore(
            QpPlan plan,
            QueuePairLinks links,
            ReceiveAttachment receives,
            WorkSlots slots,
            QueuePairReference reference,
            ActorTimer<?> timer,
            boolean onPort,
            Services services) {
        this.plan = plan;
        this.links = links;
        this.receives = receives;
        this.reference = reference;
        this.timer = timer;
        this.onPort = onPort;
        this.services = services;
        machine = new QueuePairMachine(
                plan, guarded -> services.receivesGuard().around(services.adapter(), plan.number(), guarded));
        endpoint = ReceiveBuffer.endpoint(plan, machine.halves().transport(), reference, links.shard(), services);
        effects = new TurnEffects(plan, slots, reference, endpoint, links, receives, services);
        turn = new Turn(services.clock(), effects, QpTrace.of(plan.element(), services.trace(), links));
    }

    /**
     * Creates the core of a queue pair that belongs to another object, which passes packets to it; no program posts to it.
     *
     * @param planning creates the plan for the source of its receives
     */
    public static QueuePairCore owned(
            int number,
            Function<ReceiveSource, QpPlan> planning,
            QueuePairLinks links,
            ActorRef<QueuePairInput> self,
            ActorTimer<?> timer,
            Services services) {
        QueuePairReference reference = new QueuePairReference(self);
        ReceiveAttachment receives = links.receives().attachment(number, reference, services.trace());
        return new QueuePairCore(
                planning.apply(receives.source()), links, receives, WorkSlots.NONE, reference, timer, false, services);
    }

    Endpoint endpoint() {
        return endpoint;
    }

    QueuePairLinks links() {
        return links;
    }

    /** Returns the machine, whose calls take {@link #turn}. */
    public QueuePairMachine machine() {
        return machine;
    }

    public Turn turn() {
        return turn;
    }

    public QpPlan plan() {
        return plan;
    }

    /**
     * Attaches to the port and all queues, and records the creation; if one refuses, or on a crash, detaches from all.
     *
     * @param owner the actor, which the audit asks from now on
     * @param buffer pages of the queues
     */
    public void attach(Audited owner, AllocatedPages buffer) {
        try {
            links.attach(reference);
            if (onPort) {
                services.fabric().tell(new FabricActor.Attach(endpoint));
            }
            QpTrace.created(plan, services.trace(), links, buffer);
            services.audit().opened(owner);
        } catch (RuntimeException | Error failed) {
            detach();
            throw failed;
        }
    }

    @MutationPoint("queue-pair-core.detach")
    private void detach() {
        if (onPort) {
            services.fabric().tell(new FabricActor.Detach(endpoint));
            services.limits().multicast().gone(endpoint.qpNumber());
        }
        receives.leave();
        links.detach(reference);
    }

    /** Begins a turn. */
    public void begin() {
        turn.begin();
    }

    /** Hands an input to the machine. */
    public void take(QueuePairInput input) {
        switch (input) {
            case QueuePairInput.Arrived arrived ->
                machine.receive(ReceiveBuffer.take(arrived), arrived.traceIds(), turn);
            case QueuePairInput.Credit credit ->
                credits = Math.min(Endpoint.INITIAL_CREDITS, credits + credit.packets());
            case QueuePairInput.Note note -> note(note);
            case QueuePairInput.Granted granted -> {
                turn.handles(QpTrace.granted(plan, granted.lease(), services.trace()));
                machine.leaseGranted(granted.lease(), turn);
            }
            case QueuePairInput.Refused refused -> machine.leaseRefused(refused.key(), refused.reason(), turn);
            case QueuePairInput.Revoke revoke -> machine.leaseRevoked(revoke.grant(), turn);
            case QueuePairInput.KeyChanged changed -> machine.keyChanged(changed.ticket(), changed.refusal(), turn);
            case QueuePairInput.Invalidated done -> machine.invalidated(done.ticket(), done.refusal(), turn);
            case QueuePairInput.PagesServed served -> {
                turn.handles(served.event());
                machine.pagesServed(served.kind(), served.ticket(), served.refusal(), turn);
            }
            case QueuePairInput.Fetch fetch -> machine.fetch(fetch.order(), fetch.cause(), turn);
            case QueuePairInput.SharedFailed failed -> machine.sharedReceivesFailed(failed.queue(), turn);
            case QueuePairInput.SrqDestroying destroying -> machine.srqDestroyed(destroying.queue(), turn);
        }
    }

    private void note(QueuePairInput.Note note) {
        switch (note) {
            case DUE -> {
                timer.fired();
                machine.timeout(turn);
            }
            case CONTINUE -> continuing = false;
            case CORRUPTED -> effects.count(Counter.RX_ICRC_ENCAPSULATED);
            case DEVICE_FAILED -> machine.fail(DependencyFailure.DEVICE, turn);
            case CQ_FAILED -> machine.fail(DependencyFailure.COMPLETION_QUEUE, turn);
        }
    }

    /** Ends the turn: sends what is ready, writes completions, and arms the timer. */
    public void end() {
        transmit();
        effects.dispatchCompletions();
        machine.endTurn();
        long deadline = machine.nextDeadline();
        if (!timer.firesBy(deadline)) {
            timer.arm(turn.now(), deadline);
        }
    }

    private void transmit() {
        int budget = Math.min(credits, Switchboard.MAX_BATCH);
        if (budget <= 0) {
            return;
        }
        int sent = machine.transmit(budget, turn);
        if (sent == 0) {
            return;
        }
        credits -= effects.dispatchBatch();
        if (sent == budget && credits > 0 && !continuing) {
            continuing = true;
            reference.actor().tell(QueuePairInput.Note.CONTINUE);
        }
    }

    // rule event-crash
    /**
     * Handling a message threw: the packets of its turn are not sent, and the queue pair enters ERR. Returns the exception for
     * the sender that waits for an answer.
     */
    public VerbsException crashed(Object message, Throwable crash) {
        effects.discardBatch();
        turn.begin();
        if (message instanceof QueuePairInput.Granted granted) {
            turn.releaseLease(granted.lease());
        }
        machine.fail(DependencyFailure.ITS_ACTOR, turn);
        effects.dispatchCompletions();
        machine.endTurn();
        return new VerbsException(Errno.EIO, "queue pair " + plan.number() + " crashed and is in error", crash);
    }

    /** Completes outstanding work; the completions stay in their queues when the queue pair is destroyed. */
    public void flush() {
        CrashSupervisor.attempt(() -> machine.flush(turn));
        CrashSupervisor.attempt(effects::dispatchCompletions);
        effects.keepCompletions();
    }

    /**
     * Fails open stages, releases leases and detaches from all queues; called however the actor ends. False if that was done
     * before.
     */
    public boolean drop() {
        if (dropped) {
            return false;
        }
        dropped = true;
        effects.discardBatch();
        CrashSupervisor.attempt(() -> machine.reset(turn));
        detach();
        return true;
    }

    /** Disarms the timer; the actor has ended. */
    public void disarm() {
        timer.disarm();
    }

    /**
     * Returns what the queue pair holds.
     *
     * @param unpolled number of requests that the machine has not taken over
     */
    public ResourceSnapshot snapshot(int unpolled, ResourceSnapshot.Slots slots) {
        return machine.report()
                .snapshot(services.adapter(), unpolled, credits, slots, links.queues(receives.numbers()));
    }
}
