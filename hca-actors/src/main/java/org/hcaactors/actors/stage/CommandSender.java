// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.stage;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.adapter.audit.VerbOwner;
import org.hcaactors.adapter.stage.ExpectsReply;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.stream.DeclinedSubscription;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * Sender of a handle's commands to its actor. A closed sender refuses commands; when the actor stops, every pending verb is
 * answered, so no caller waits forever.
 *
 * @param <C> commands of the actor
 */
public final class CommandSender<C> implements VerbOwner {
    private static final Runnable NOTHING = () -> {};

    private final ActorRef<C> actor;
    private final Callers callers;
    private final Object named;

    /** A map is allocated only while verbs are pending, because most senders are idle. */
    private Map<Reply<?>, C> unanswered = Map.of();

    private Runnable whenClosed = NOTHING;
    private volatile @Nullable CompletionStage<Void> closing;
    private @Nullable Reply<Void> closer;
    private boolean stopped;

    /** @param named object behind it; its toString() is the name in refusals, built when needed */
    public CommandSender(ActorRef<C> actor, Callers callers, Object named) {
        this.actor = actor;
        this.callers = callers;
        this.named = named;
    }

    public ActorRef<C> actor() {
        return actor;
    }

    public Callers callers() {
        return callers;
    }

    public String name() {
        return named.toString();
    }

    public VerbsException closedException() {
        return VerbsException.invalid(named + " is closed");
    }

    @Override
    public String toString() {
        return name();
    }

    @Override
    public String path() {
        return actor.path().toStringWithoutAddress();
    }

    @Override
    public boolean isClosed() {
        return closing != null;
    }

    /** Sends a command; false, without effect, if it is closed. */
    public synchronized boolean tell(C command) {
        if (closing != null) {
            return false;
        }
        actor.tell(command);
        return true;
    }

    /**
     * Returns the publisher of a stream of the actor; it declines subscribers if it is closed.
     *
     * @param subscribe command that subscribes to the stream
     */
    public <T> Flow.Publisher<T> publisher(Function<Flow.Subscriber<? super T>, C> subscribe) {
        return subscriber -> {
            Objects.requireNonNull(subscriber, "subscriber");
            if (!tell(subscribe.apply(subscriber))) {
                callers.execute(() -> DeclinedSubscription.decline(subscriber, closedException()));
            }
        };
    }

    /** Sends a command that is answered. Fails with EINVAL if it is closed. */
    public synchronized <T> CompletionStage<T> ask(Function<Reply<T>, C> verb) {
        return closing == null ? pass(verb) : CompletableFuture.failedStage(closedException());
    }

    /** Like {@link #ask}, but also while the object is being closed; fails with EINVAL when it is gone. */
    public synchronized <T> CompletionStage<T> askWhileClosing(Function<Reply<T>, C> verb) {
        return stopped ? CompletableFuture.failedStage(closedException()) : pass(verb);
    }

    /** Sends a command of the adapter itself, which closing does not stop. Fails with ECANCELED when the actor is gone. */
    public synchronized <T> CompletionStage<T> pass(Function<Reply<T>, C> verb) {
        if (stopped) {
            return CompletableFuture.failedStage(stoppedException());
        }
        Reply<T> reply = new Reply<>(callers);
        C command = verb.apply(reply);
        if (unanswered.isEmpty()) {
            unanswered = new LinkedHashMap<>();
        }
        unanswered.put(reply, command);
        pending(command, reply.future());
        actor.tell(command);
        return reply.stage().whenComplete((value, failure) -> answered(reply));
    }

    /** Returns the stage of posted work, which its work queue completes. */
    public <T> CompletionStage<T> promise(Object work, Reply<T> reply) {
        pending(work, reply.future());
        return reply.stage();
    }

    /** Records a stage that must complete in the resource audit. */
    public void pending(Object verb, Future<?> stage) {
        callers.audit().pending(this, verb, stage);
    }

    /** Reports an exception of a subscriber or handler of one of its actor's streams. */
    public void threw(Object subscriber, Throwable thrown) {
        callers.audit().threw(this, subscriber.getClass(), thrown);
    }

    private VerbsException stoppedException() {
        return new VerbsException(Errno.ECANCELED, named + " was closed");
    }

    /** Returns the pending verbs, each with the object that has to answer it. */
    public synchronized List<String> unanswered() {
        return unanswered.values().stream()
                .map(command -> words(command) + " of " + named)
                .toList();
    }

    private static String words(Object command) {
        return command instanceof ExpectsReply asks
                ? asks.words()
                : command.getClass().getSimpleName();
    }

    private synchronized void answered(Reply<?> reply) {
        unanswered.remove(reply);
        if (unanswered.isEmpty()) {
            unanswered = Map.of();
        }
    }

    /** Closes it; if the verb is refused it is open again. A second call returns the same stage. */
    public synchronized CompletionStage<Void> close(Function<Reply<Void>, C> verb) {
        if (closing != null) {
            return closing;
        }
        Reply<Void> reply = new Reply<>(callers);
        closer = reply;
        closing = reply.stage().whenComplete((done, refused) -> ended(refused));
        C command = verb.apply(reply);
        pending(command, reply.future());
        actor.tell(command);
        return closing;
    }

    private void ended(@Nullable Throwable refused) {
        Runnable last;
        synchronized (this) {
            if (refused != null) {
                closing = stopped ? CompletableFuture.completedStage(null) : null;
                return;
            }
            last = takeWhenClosed();
        }
        last.run();
    }

    /** Waits until it is closed. */
    public void await(CompletionStage<Void> end) {
        callers.waiting().until(end);
    }

    /** Sets an action for when it is finally closed; runs it at once if its actor is gone. */
    public void whenClosed(Runnable action) {
        synchronized (this) {
            if (!stopped) {
                whenClosed = whenClosed == NOTHING ? action : new InTurn(whenClosed, action);
                return;
            }
        }
        action.run();
    }

    /** Most senders have one action, few a second one. */
    private record InTurn(Runnable first, Runnable second) implements Runnable {
        @Override
        public void run() {
            first.run();
            second.run();
        }
    }

    private Runnable takeWhenClosed() {
        Runnable last = whenClosed;
        whenClosed = NOTHING;
        return last;
    }

    /** Called when the actor stops because of the close verb; another object answers the verb. */
    public synchronized void closeTaken() {
        closer = null;
    }

    /**
     * Called when the actor has stopped, closed or not: fails pending verbs. If it was stopped from outside, it may not have
     * received the close verb, which is then answered as well.
     */
    public void shut() {
        List<Reply<?>> unansweredVerbs;
        Runnable last;
        Reply<Void> unansweredClose;
        synchronized (this) {
            stopped = true;
            boolean answersClose =
                    closing != null && closer == null; // then it is closed only when that verb is answered
            if (closing == null) {
                closing = CompletableFuture.completedStage(null);
            }
            unansweredClose = closer;
            unansweredVerbs = List.copyOf(unanswered.keySet());
            last = answersClose ? NOTHING : takeWhenClosed();
        }
        unansweredVerbs.forEach(reply -> reply.fail(stoppedException()));
        last.run();
        if (unansweredClose != null) {
            Reply.done(unansweredClose);
        }
    }
}
