// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.nodes;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.receptionist.Receptionist;
import org.apache.pekko.actor.typed.receptionist.ServiceKey;
import org.hcaactors.lab.nodes.NodesProgress;

/**
 * Hands out the tasks of a sweep. Nodes find it by Pekko's receptionist, and it watches them.
 *
 * <p>Pekko's WorkPullingProducerController isn't used: its consumer confirms a message, not its result, so that a result could be lost
 * behind the confirmation, and it does not tell which node has which message. Here a result is the confirmation.
 */
final class CoordinatorActor extends AbstractBehavior<CoordinatorActor.Command> {
    /** Key with which nodes find the coordinator. */
    static final ServiceKey<SweepMessage.Pull> KEY = ServiceKey.create(SweepMessage.Pull.class, "sweep");

    /** Time between two looks at the clock and at the caller's stop condition. */
    private static final Duration TICK = Duration.ofMillis(200);

    /** Commands of the actor. */
    sealed interface Command permits SweepMessage.Pull, Gone, Forget, Tick {}

    /** A node has gone. */
    record Gone(ActorRef<SweepMessage.ToWorker> worker) implements Command {}

    /** The process of a node has ended. */
    record Forget(String name) implements Command {}

    private enum Tick implements Command {
        NOW
    }

    /**
     * Environment of the actor.
     *
     * @param stop queried every {@code TICK} and after each message; once true, only seeds that run go on
     * @param result also receives the exception of a callback, as the cause of a {@link SweepRefusedException}
     * @param clock nanoseconds, never going back
     */
    record Terms(
            NodeSweep asked,
            String build,
            Consumer<NodesProgress> progress,
            BooleanSupplier stop,
            LongSupplier clock,
            CompletableFuture<NodesReport> result) {}

    private final Terms terms;
    private final SweepRun<ActorRef<SweepMessage.ToWorker>> run;

    private CoordinatorActor(ActorContext<Command> context, Terms terms) {
        super(context);
        this.terms = terms;
        run = new SweepRun<>(terms.asked, terms.build, terms.clock.getAsLong());
        context.getSystem()
                .receptionist()
                .tell(Receptionist.register(KEY, context.getSelf().narrow()));
    }

    static Behavior<Command> create(Terms terms) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            timers.startTimerWithFixedDelay(Tick.NOW, TICK);
            return new CoordinatorActor(context, terms);
        }));
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessage(SweepMessage.Pull.class, this::pulled)
                .onMessage(Gone.class, gone -> {
                    run.leave(gone.worker, terms.clock.getAsLong());
                    return handOut();
                })
                .onMessage(Forget.class, forget -> {
                    run.leaveNamed(forget.name, terms.clock.getAsLong());
                    return handOut();
                })
                .onMessage(Tick.class, tick -> next())
                .onSignal(PostStop.class, ended -> {
                    terms.result.completeExceptionally(SweepRefusedException.ofCoordinator());
                    return this;
                })
                .build();
    }

    private Behavior<Command> pulled(SweepMessage.Pull pull) {
        ActorRef<SweepMessage.ToWorker> worker = pull.worker();
        Optional<String> whyNot = run.whyNot(worker, pull.build(), pull.threads());
        if (whyNot.isPresent()) {
            worker.tell(new SweepMessage.Refusal(whyNot.get()));
            return this;
        }
        if (run.join(worker, pull.name(), pull.threads())) {
            getContext().watchWith(worker, new Gone(worker));
        }
        run.runs(worker, pull.running());
        if (run.take(worker, pull.results())) {
            return handOut();
        }
        assign(worker);
        return next();
    }

    private Behavior<Command> handOut() {
        run.nodes().forEach(this::assign);
        return next();
    }

    private void assign(ActorRef<SweepMessage.ToWorker> worker) {
        NodeSweep asked = terms.asked;
        worker.tell(new SweepMessage.Assignment(
                asked.sweep().swarm(),
                asked.sweep().traffic(),
                asked.sweep().watch(),
                asked.shrinkTime(),
                run.topUp(worker)));
    }

    private Behavior<Command> next() {
        try {
            terms.progress.accept(run.progress());
            if (terms.stop.getAsBoolean() && run.stop()) {
                run.nodes().forEach(this::assign);
            }
        } catch (RuntimeException | Error thrown) { // Its caller waits for a result and must see it.
            terms.result.completeExceptionally(SweepRefusedException.ofCallback(thrown));
            return over();
        }
        Optional<NodesReport> end = run.end(terms.clock.getAsLong());
        if (end.isEmpty()) {
            return this;
        }
        terms.result.complete(end.get());
        return over();
    }

    private Behavior<Command> over() {
        run.nodes().forEach(worker -> worker.tell(new SweepMessage.Over()));
        return Behaviors.stopped();
    }
}
