// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.placement;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.network.RdmaNetwork;

/**
 * Entity of Cluster Sharding: one adapter with its program at this node, from being plugged in to being removed. Whatever blocks runs on
 * Pekko's dispatcher for that.
 */
final class AdapterEntity extends AbstractBehavior<AdapterEntity.Command> {
    /** Callers that wait for the adapter to start; others ask again. */
    private static final int MAX_WAITING = 64;

    private static final Duration LOOK = Duration.ofMillis(50);

    /** Commands of the actor. */
    sealed interface Command
            permits PlacementMessage.Locate,
                    PlacementMessage.Leave,
                    Read,
                    PluggedIn,
                    Recorded,
                    Started,
                    Failed,
                    Unknown,
                    Removed,
                    Note {}

    private record Read(PlacementEntry entry) implements Command {}

    private record PluggedIn(Adapter adapter) implements Command {}

    private record Recorded() implements Command {}

    private record Started(PlacedProgram.Running program) implements Command {}

    private record Failed(Throwable thrown) implements Command {}

    /** The table did not answer. */
    private record Unknown(Throwable thrown) implements Command {}

    /** @param refusal why it was not removed */
    private record Removed(Optional<Throwable> refusal) implements Command {}

    /** Commands without parameters. */
    enum Note implements Command {
        /** Cluster Sharding takes the adapter away from this node. */
        STOP,
        LOOK,
        ENDED,
        GONE
    }

    /** The node, for all its adapters. */
    record Node(
            RdmaNetwork network,
            PlacedProgram program,
            PlacementSettings settings,
            PlacementTable table,
            ClusterNodes nodes) {}

    private final String name;
    private final Node node;
    private final TimerScheduler<Command> timers;
    private final Executor blocking;
    private final List<PlacementMessage.Locate> waiting = new ArrayList<>();
    private final List<PlacementMessage.Leave> leaving = new ArrayList<>();
    private Optional<Adapter> adapter = Optional.empty();
    private Optional<PlacedProgram.Running> program = Optional.empty();
    private Optional<Draining> draining = Optional.empty();
    private boolean endAsked;
    private boolean ended;
    private boolean removing;
    private boolean stopping;
    private boolean forced;
    private boolean recording;
    /** A caller's order to leave, which says where the adapter is to be then. */
    private Optional<PlacementMessage.Leave> order = Optional.empty();

    private AdapterEntity(ActorContext<Command> context, TimerScheduler<Command> timers, String name, Node node) {
        super(context);
        this.name = name;
        this.node = node;
        this.timers = timers;
        blocking = context.getSystem().dispatchers().lookup(DispatcherSelector.blocking());
        context.pipeToSelf(
                node.table.read(name), (entry, thrown) -> thrown == null ? new Read(entry) : new Unknown(thrown));
    }

    static Behavior<Command> create(String name, Node node) {
        return Behaviors.setup(
                context -> Behaviors.withTimers(timers -> new AdapterEntity(context, timers, name, node)));
    }

    private <T> void pipe(CompletionStage<T> stage, Function<T, Command> done) {
        getContext()
                .pipeToSelf(stage, (value, thrown) -> thrown == null ? done.apply(value) : new Failed(unwrap(thrown)));
    }

    /** Returns the failure without the exception in which a dependent stage wraps it. */
    static Throwable unwrap(Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }

    private <T> CompletionStage<T> blocking(Callable<T> work) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return work.call();
                    } catch (Exception thrown) {
                        throw new CompletionException(thrown);
                    }
                },
                blocking);
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessage(PlacementMessage.Locate.class, this::locate)
                .onMessage(PlacementMessage.Leave.class, this::leave)
                .onMessage(Read.class, read -> plugIn(read.entry))
                .onMessage(PluggedIn.class, plugged -> record(plugged.adapter))
                .onMessage(Recorded.class, recorded -> start())
                .onMessage(Started.class, started -> started(started.program))
                .onMessage(Failed.class, failed -> failed(failed.thrown))
                .onMessage(Unknown.class, unknown -> unknown(unknown.thrown))
                .onMessage(Removed.class, removed -> removed(removed.refusal))
                .onMessage(Note.class, this::note)
                .onSignal(PostStop.class, stopped -> {
                    adapter.ifPresent(this::abandon);
                    return this;
                })
                .build();
    }

    private Behavior<Command> locate(PlacementMessage.Locate locate) {
        if (draining.isPresent() || removing) {
            locate.replyTo().tell(new PlacementMessage.NotYet("it is being drained at " + node.nodes.self()));
        } else if (program.isPresent()) {
            adapter.ifPresent(here -> locate.replyTo().tell(at(here)));
        } else if (waiting.size() < MAX_WAITING) {
            waiting.add(locate);
        }
        return this;
    }

    private PlacementMessage.At at(Adapter here) {
        return new PlacementMessage.At(node.nodes.self(), here.gid());
    }

    private void answer(PlacementMessage.Answer answer) {
        waiting.forEach(each -> each.replyTo().tell(answer));
        waiting.clear();
    }

    private void answerAll(PlacementMessage.Answer answer) {
        answer(answer);
        leaving.forEach(each -> each.replyTo().tell(answer));
        leaving.clear();
        order = Optional.empty();
    }

    private Behavior<Command> plugIn(PlacementEntry entry) {
        if (!entry.isWanted()) {
            answerAll(new PlacementMessage.Refused(
                    PlacementException.Reason.NOT_PLACED, "no adapter " + name + " is placed; place() places it"));
            return Behaviors.stopped();
        }
        if (stopping || !PlacementRules.mayStart(entry, node.nodes.self(), node.nodes.fit())) {
            answerAll(new PlacementMessage.NotYet("it is on its way to "
                    + entry.wishedNode().map(Object::toString).orElse("another node")));
            return Behaviors.stopped();
        }
        pipe(blocking(() -> node.network.addAdapter(name, node.settings.profile())), PluggedIn::new);
        return this;
    }

    /** Before the program starts: what is recorded as being at a node is not moved without being drained. */
    private Behavior<Command> record(Adapter plugged) {
        adapter = Optional.of(plugged);
        getContext()
                .pipeToSelf(
                        node.table.placed(
                                name, new PlacementEntry.Place(node.nodes.self(), node.nodes.selfUid(), plugged.gid())),
                        (done, thrown) -> thrown == null ? new Recorded() : new Unknown(thrown));
        return this;
    }

    private Behavior<Command> start() {
        adapter.ifPresent(here -> pipe(blocking(() -> node.program.start(here)), Started::new));
        return this;
    }

    private Behavior<Command> started(PlacedProgram.Running running) {
        program = Optional.of(running);
        adapter.ifPresent(here -> answer(at(here)));
        List<PlacementMessage.Leave> early = List.copyOf(leaving);
        leaving.clear();
        early.forEach(this::leave);
        return stopping && draining.isEmpty() && !removing ? drain() : this;
    }

    /** The adapter could not be plugged in, or its program threw. It is tried again as long as it is to be placed. */
    private Behavior<Command> failed(Throwable thrown) {
        getContext().getLog().warn("adapter {} could not be started", name, thrown);
        answerAll(new PlacementMessage.Refused(
                PlacementException.Reason.PROGRAM_FAILED,
                "adapter " + name + " could not be started at " + node.nodes.self() + ": " + thrown));
        return adapter.isPresent() ? cutOff() : Behaviors.stopped();
    }

    /** Callers ask again, and so does the watch of each node. */
    private Behavior<Command> unknown(Throwable thrown) {
        answerAll(new PlacementMessage.NotYet("the replicated data does not answer: " + thrown));
        return adapter.isPresent() ? cutOff() : Behaviors.stopped();
    }

    private Behavior<Command> leave(PlacementMessage.Leave leave) {
        if (leave.to().filter(node.nodes.self()::equals).isPresent()) {
            return locate(new PlacementMessage.Locate(leave.replyTo()));
        }
        if (recording || leaving.size() == MAX_WAITING) {
            leave.replyTo().tell(new PlacementMessage.NotYet("it is leaving " + node.nodes.self()));
            return this;
        }
        leaving.add(leave);
        order = order.or(() -> Optional.of(leave));
        return program.isPresent() && draining.isEmpty() && !removing ? drain() : this;
    }

    private Behavior<Command> note(Note note) {
        return switch (note) {
            case STOP -> {
                stopping = true;
                yield program.isPresent() && draining.isEmpty() && !removing ? drain() : this;
            }
            case ENDED -> {
                ended = true;
                draining = draining.map(Draining::withEnded);
                yield step(false);
            }
            case LOOK -> step(false);
            case GONE -> {
                leaving.forEach(each -> each.replyTo().tell(new PlacementMessage.Left()));
                yield Behaviors.stopped();
            }
        };
    }

    private Behavior<Command> drain() {
        draining = Optional.of(
                new Draining(System.nanoTime() + node.settings.drainTime().toNanos(), ended));
        timers.startTimerWithFixedDelay(Note.LOOK, LOOK);
        if (!endAsked) {
            endAsked = true;
            program.ifPresent(running -> getContext()
                    .pipeToSelf(blocking(running::end).thenCompose(stage -> stage), (value, thrown) -> {
                        if (thrown != null) {
                            getContext().getSystem().log().warn("the end of the program of {} failed", name, thrown);
                        }
                        return Note.ENDED;
                    }));
        }
        return step(false);
    }

    private Behavior<Command> step(boolean prevented) {
        if (removing || draining.isEmpty()) {
            return this;
        }
        return switch (draining.get().step(System.nanoTime(), prevented)) {
            case WAIT -> this;
            case REMOVE -> remove();
            case GIVE_UP ->
                refuse(
                        PlacementException.Reason.PROGRAM_RUNS,
                        "the program of adapter " + name + " has not ended in "
                                + node.settings.drainTime().toMillis() + " ms");
        };
    }

    private Behavior<Command> remove() {
        removing = true;
        adapter.ifPresent(here -> getContext()
                .pipeToSelf(
                        removal(here),
                        (done, thrown) ->
                                new Removed(Optional.ofNullable(thrown).map(AdapterEntity::unwrap))));
        return this;
    }

    private CompletionStage<Void> removal(Adapter here) {
        try {
            return node.network.removeAdapter(here);
        } catch (IllegalStateException closed) { // With its network the adapter has ended.
            return CompletableFuture.completedStage(null);
        }
    }

    private Behavior<Command> removed(Optional<Throwable> refusal) {
        if (refusal.isEmpty()) {
            return record();
        }
        removing = false;
        return draining.filter(so -> so.step(System.nanoTime(), true) == Draining.Step.GIVE_UP)
                .map(late -> refuse(
                        PlacementException.Reason.QUEUE_PAIRS,
                        refusal.get().getMessage() + ", and still had "
                                + node.settings.drainTime().toMillis() + " ms after its program was asked to end"))
                .orElse(this);
    }

    /** The adapter has left. */
    private Behavior<Command> record() {
        recording = true;
        adapter = Optional.empty();
        timers.cancel(Note.LOOK);
        getContext().pipeToSelf(left(), (done, thrown) -> Note.GONE);
        return this;
    }

    private CompletionStage<Void> left() {
        return order.map(leave ->
                        node.table.left(name, leave.to().map(Optional::of).map(PlacementEntry.Wish::new)))
                .orElseGet(() -> node.table.left(name));
    }

    private Behavior<Command> refuse(PlacementException.Reason reason, String words) {
        timers.cancel(Note.LOOK);
        draining = Optional.empty();
        if (stopping) {
            getContext().getLog().warn("{}; it ends as by a loss of power", words);
            return forced ? Behaviors.stopped() : cutOff();
        }
        String stays = words + "; it stays at " + node.nodes.self();
        leaving.forEach(each -> each.replyTo().tell(new PlacementMessage.Refused(reason, stays)));
        leaving.clear();
        order = Optional.empty();
        return this;
    }

    /** Ends the adapter with all that it has. */
    private Behavior<Command> cutOff() {
        forced = true;
        stopping = true;
        ended = true;
        endAsked = true;
        adapter.ifPresent(this::losePower);
        return drain();
    }

    private CompletionStage<Void> losePower(Adapter here) {
        try {
            node.network.unplug(here);
            return node.network.losePower(here);
        } catch (IllegalStateException closed) {
            return CompletableFuture.completedStage(null);
        }
    }

    /** The actor ended with its adapter: with the actor system, or because Cluster Sharding waited no longer. */
    private void abandon(Adapter here) {
        losePower(here).thenCompose(dead -> removal(here)).thenCompose(gone -> left());
    }
}
