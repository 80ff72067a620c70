package org.hcaactors.adapter.completion;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.ExtensibleBehavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.stream.Poll;
import org.hcaactors.adapter.stream.Poller;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.jspecify.annotations.Nullable;

/** The actor of one completion queue: a ring, at most one subscription that polls it, and the queue pairs that fill it. */
public final class CompletionQueueActor extends ExtensibleBehavior<CompletionQueueActor.Command> {
    /** What a completion queue understands. */
    public sealed interface Command {}

    /** New entries. */
    public record Completed(Completions batch) implements Command {}

    /** A queue pair starts to use the queue. */
    public record Attach(CqUser user) implements Command {}

    public record Detach(CqUser user) implements Command {}

    /** Takes out the entries of a queue pair that was reset or destroyed, as far as they free this owner's slots. */
    public record Purge(SlotOwner owner, int qpNumber) implements Command {}

    /** @param onShard the subscriber promises not to block */
    public record Subscribe(Flow.Subscriber<? super WorkCompletion> subscriber, boolean onShard) implements Command {}

    /** Answered EBUSY while a queue pair uses the queue. */
    public record Destroy(Reply<Void> reply) implements Command {}

    private record Polled(Poll<WorkCompletion> poll) implements Command {}

    /**
     * What a completion queue is made with.
     *
     * @param number as events name it
     * @param capacity entries
     * @param callers where refused subscribers are told
     * @param callerDispatcher where subscriptions run by default
     * @param shardDispatcher where subscriptions run that promise not to block
     * @param events where CQ_ERR goes
     */
    public record Setup(
            int number,
            int capacity,
            Executor callers,
            DispatcherSelector callerDispatcher,
            DispatcherSelector shardDispatcher,
            Consumer<AsyncEvent> events) {}

    private final Setup setup;
    private final CompletionRing ring;
    private final Poller<WorkCompletion> poller;
    private final Set<CqUser> users = new LinkedHashSet<>();
    private boolean failed;

    private CompletionQueueActor(ActorContext<Command> context, Setup setup) {
        this.setup = setup;
        ring = new CompletionRing(setup.capacity);
        ActorRef<Command> self = context.getSelf();
        poller = new Poller<>(
                context, poll -> self.tell(new Polled(poll)), setup.callers, "completion queue " + setup.number);
    }

    public static Behavior<Command> create(Setup setup) {
        return Behaviors.setup(context -> new CompletionQueueActor(context, setup));
    }

    @Override
    public Behavior<Command> receive(TypedActorContext<Command> typed, Command command) {
        switch (command) {
            case Completed completed -> completed(completed.batch);
            case Attach attach -> {
                users.add(attach.user);
                if (failed) {
                    attach.user.completionQueueFailed();
                }
            }
            case Detach detach -> users.remove(detach.user);
            case Purge purge ->
                ring.purge(cqe -> cqe.owner() == purge.owner && cqe.entry().qpNumber() == purge.qpNumber);
            case Subscribe subscribe -> subscribe(subscribe);
            case Polled polled -> polled(polled.poll);
            case Destroy destroy -> {
                return destroy(destroy.reply);
            }
        }
        return Behaviors.same();
    }

    @Override
    public Behavior<Command> receiveSignal(TypedActorContext<Command> typed, Signal signal) {
        return Behaviors.unhandled();
    }

    /** Where the subscriber waits for all of them already, a batch is polled as it comes. */
    private void completed(Completions batch) {
        WorkCompletion[] entries = batch.entries();
        boolean plain = !failed && batch.stages().length == 0 && ring.size() == 0;
        if (plain && entries.length <= Math.min(poller.demand(), ring.room())) {
            ring.passBy(entries.length);
            batch.owner().release(batch.allSlots());
            poller.grant(entries);
            return;
        }
        for (int i = 0; i < entries.length; i++) {
            write(new Cqe(entries[i], batch.owner(), batch.slotsOf(i)), batch.stageOf(i));
        }
        grant();
    }

    private void write(Cqe cqe, @Nullable Reply<WorkCompletion> stage) {
        if (!failed && ring.room() == 0) {
            fail();
        }
        if (failed) {
            if (stage != null) {
                stage.fail(inError());
            }
        } else if (stage != null) {
            cqe.owner().release(cqe.slots());
            stage.succeed(cqe.entry());
        } else {
            ring.push(cqe);
        }
    }

    private void grant() {
        for (int most = poller.demand(); most > 0 && ring.size() > 0; most = poller.demand()) {
            Cqe[] polled = ring.poll(most);
            Cqe.free(polled);
            poller.grant(Arrays.stream(polled).map(Cqe::entry).toArray(WorkCompletion[]::new));
        }
    }

    /**
     * Overflow: what was asked for before is still handed over, then the queue is unusable, and so are the queue pairs
     * that complete to it (completion-notify 5).
     */
    private void fail() {
        grant();
        failed = true;
        setup.events.accept(new AsyncEvent(AsyncEvent.Kind.CQ_ERR, setup.number));
        for (CqUser user : users) {
            user.completionQueueFailed();
        }
        poller.fail(inError());
    }

    private VerbsException inError() {
        return new VerbsException(
                Errno.EIO,
                "completion queue " + setup.number + " overflowed its " + setup.capacity + " entries and is in error");
    }

    private void subscribe(Subscribe wanted) {
        if (failed) {
            poller.refuse(wanted.subscriber, inError());
        } else {
            poller.subscribe(wanted.subscriber, wanted.onShard ? setup.shardDispatcher : setup.callerDispatcher);
        }
    }

    private void polled(Poll<WorkCompletion> poll) {
        if (poller.isStale(poll)) {
            return;
        }
        switch (poll) {
            case Poll.Demanded<WorkCompletion> demanded -> {
                ring.freed(demanded.freed());
                poller.demanded(demanded.more());
                grant();
            }
            case Poll.Cancelled<WorkCompletion> cancelled -> poller.cancelled();
            case Poll.Returned<WorkCompletion> returned -> {
                ring.freed(returned.freed());
                ring.giveBack(returned.undelivered().stream().map(Cqe::again).toList());
                poller.returned();
            }
        }
    }

    private Behavior<Command> destroy(Reply<Void> reply) {
        if (!users.isEmpty()) {
            reply.fail(new VerbsException(
                    Errno.EBUSY, "completion queue " + setup.number + " is used by " + users.size() + " queue pairs"));
            return Behaviors.same();
        }
        poller.complete();
        Reply.done(reply);
        return Behaviors.stopped();
    }
}
