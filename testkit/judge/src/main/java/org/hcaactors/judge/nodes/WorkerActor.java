// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.nodes;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.receptionist.Receptionist;
import org.hcaactors.judge.sweep.MinimalRun;
import org.hcaactors.judge.sweep.Sweep;

/** Runs tasks of a sweep on threads of an executor. */
final class WorkerActor extends AbstractBehavior<WorkerActor.Command> {
    /** Time after which an unanswered message is repeated. */
    private static final Duration TICK = Duration.ofSeconds(1);

    /** Commands of the actor. */
    sealed interface Command permits SweepMessage.ToWorker, Found, Ended, Broken, CoordinatorGone, Tick, Impatience {}

    /** The coordinators that the receptionist knows. */
    record Found(Receptionist.Listing listing) implements Command {}

    record Ended(TaskResult result) implements Command {}

    /** A task threw what is no failure of a seed. */
    record Broken(Task task, Throwable reason) implements Command {}

    private enum CoordinatorGone implements Command {
        NOW
    }

    private enum Tick implements Command {
        NOW
    }

    /** The time to find a coordinator is over. */
    private enum Impatience implements Command {
        NOW
    }

    /**
     * Environment of the actor.
     *
     * @param name of this node
     * @param executor runs as many tasks at a time as the node has threads
     * @param ran number of seeds that ran, or why the node ended before the sweep
     */
    record Terms(
            SweepWorker node, String build, String name, ExecutorService executor, CompletableFuture<Integer> ran) {}

    private final Terms terms;
    private final TaskQueue tasks;
    private Optional<ActorRef<SweepMessage.Pull>> coordinator = Optional.empty();
    private int ran;

    private WorkerActor(ActorContext<Command> context, Terms terms) {
        super(context);
        this.terms = terms;
        tasks = new TaskQueue(terms.node.threads());
        ActorRef<Receptionist.Listing> listings = context.messageAdapter(Receptionist.Listing.class, Found::new);
        context.getSystem().receptionist().tell(Receptionist.subscribe(CoordinatorActor.KEY, listings));
    }

    static Behavior<Command> create(Terms terms) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            timers.startTimerWithFixedDelay(Tick.NOW, TICK);
            timers.startSingleTimer(Impatience.NOW, terms.node.patience());
            return new WorkerActor(context, terms);
        }));
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessage(Found.class, found -> {
                    found.listing.getServiceInstances(CoordinatorActor.KEY).forEach(this::greet);
                    return this;
                })
                .onMessage(SweepMessage.Assignment.class, assignment -> {
                    assigned(assignment);
                    return this;
                })
                .onMessage(Ended.class, ended -> {
                    ran += ended.result instanceof TaskResult.Ran ? 1 : 0;
                    tasks.end(ended.result);
                    pull();
                    return this;
                })
                .onMessage(Tick.class, tick -> {
                    pull();
                    return this;
                })
                .onMessage(
                        Impatience.class,
                        late -> coordinator.isPresent()
                                ? this
                                : endBy(
                                        SweepRefusedException.Reason.NO_SWEEP,
                                        "no sweep answered at " + terms.node.sweep() + " for "
                                                + terms.node.patience().toSeconds() + " s"))
                .onMessage(SweepMessage.Over.class, over -> {
                    terms.ran.complete(ran);
                    return Behaviors.stopped();
                })
                .onMessage(
                        SweepMessage.Refusal.class,
                        refusal -> endBy(SweepRefusedException.Reason.NOT_ADMITTED, refusal.reason()))
                .onMessage(
                        CoordinatorGone.class,
                        gone -> endBy(SweepRefusedException.Reason.SWEEP_GONE, "the node of the sweep has gone"))
                .onMessage(
                        Broken.class,
                        broken -> endBy(
                                SweepRefusedException.Reason.SEED_NOT_RUN,
                                "seed " + broken.task.seed() + " could not be run: " + broken.reason))
                .build();
    }

    private void greet(ActorRef<SweepMessage.Pull> found) {
        if (coordinator.isEmpty()) {
            coordinator = Optional.of(found);
            getContext().watchWith(found, CoordinatorGone.NOW);
            pull();
        }
    }

    private void pull() {
        coordinator.ifPresent(known -> known.tell(new SweepMessage.Pull(
                getContext().getSelf().narrow(),
                terms.build,
                terms.name,
                terms.node.threads(),
                tasks.results(),
                tasks.running())));
    }

    private void assigned(SweepMessage.Assignment assignment) {
        tasks.assign(assignment.tasks());
        Sweep sweep = assignment.sweep();
        ActorRef<Command> self = getContext().getSelf();
        List<Task> begun = tasks.begin();
        if (!begun.isEmpty()) { // The coordinator must know what runs here if it ends this JVM.
            pull();
        }
        for (Task task : begun) {
            terms.executor.execute(() -> self.tell(outcome(task, sweep, assignment.shrinkTime())));
        }
    }

    private static Command outcome(Task task, Sweep sweep, Duration shrinkTime) {
        try {
            return new Ended(
                    switch (task) {
                        case Task.Run run -> new TaskResult.Ran(sweep.one(run.seed()));
                        case Task.Shrink shrink ->
                            new TaskResult.Shrunk(
                                    shrink.seed(),
                                    MinimalRun.of(sweep, shrink.seed(), shrinkTime, System::nanoTime, smaller -> {}));
                    });
        } catch (RuntimeException
                | Error broken) { // A JVM that lacks memory or a class can't be trusted with more seeds.
            return new Broken(task, broken);
        }
    }

    private Behavior<Command> endBy(SweepRefusedException.Reason reason, String words) {
        terms.ran.completeExceptionally(new SweepRefusedException(reason, words));
        return Behaviors.stopped();
    }
}
