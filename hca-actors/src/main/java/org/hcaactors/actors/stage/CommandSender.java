// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.stage;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.adapter.audit.VerbOwner;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * A handle's way to its actor. Once it has been closed it lets nobody through, and when the actor is gone every verb that
 * still waits is answered: nobody hangs.
 *
 * @param <C> what the actor understands
 */
public final class CommandSender<C> implements VerbOwner {
    private static final Runnable NOTHING = () -> {};

    private final ActorRef<C> actor;
    private final Callers callers;
    private final Object named;

    /** A map of its own only while something is in it: most doors stand idle. */
    private Map<Reply<?>, C> unanswered = Map.of();

    private Runnable whenClosed = NOTHING;
    private @Nullable CompletionStage<Void> closing;
    private @Nullable Reply<Void> closer;
    private boolean gone;

    /** @param named what is behind it, in words when it is asked for them */
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

    public VerbsException closed() {
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
    public synchronized boolean isClosed() {
        return closing != null;
    }

    /** False, and nothing told, if it is closed. */
    public synchronized boolean tell(C command) {
        if (closing != null) {
            return false;
        }
        actor.tell(command);
        return true;
    }

    /** Fails with EINVAL if it is closed. */
    public synchronized <T> CompletionStage<T> ask(Function<Reply<T>, C> verb) {
        return closing == null ? pass(verb) : CompletableFuture.failedStage(closed());
    }

    /** As {@link #ask}, and while what is behind it still ends, too: fails with EINVAL once that is gone. */
    public synchronized <T> CompletionStage<T> askToTheEnd(Function<Reply<T>, C> verb) {
        return gone ? CompletableFuture.failedStage(closed()) : pass(verb);
    }

    /** For the adapter's own errands, which closing does not stop: fails with ECANCELED when the actor is gone. */
    public synchronized <T> CompletionStage<T> pass(Function<Reply<T>, C> verb) {
        if (gone) {
            return CompletableFuture.failedStage(whyGone());
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

    /** The stage of work that was posted, which the ledger of its queue answers. */
    public <T> CompletionStage<T> promise(Object work, Reply<T> reply) {
        pending(work, reply.future());
        return reply.stage();
    }

    /** A stage is given out that must end. */
    public void pending(Object verb, Future<?> stage) {
        callers.audit().pending(this, verb, stage);
    }

    /** A subscriber, or a handler, of a stream of its actor's threw. */
    public void threw(Object subscriber, Throwable thrown) {
        callers.audit().threw(this, subscriber.getClass(), thrown);
    }

    private VerbsException whyGone() {
        return new VerbsException(Errno.ECANCELED, named + " is gone");
    }

    /** Of each verb that waits for an answer, what it is and who owes it. */
    public synchronized List<String> unanswered() {
        return unanswered.values().stream()
                .map(command -> command.getClass().getSimpleName() + " of " + named)
                .toList();
    }

    private synchronized void answered(Reply<?> reply) {
        unanswered.remove(reply);
        if (unanswered.isEmpty()) {
            unanswered = Map.of();
        }
    }

    /** Closes it; where the verb is refused it is open again. Closing again waits for the same end. */
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
                closing = gone ? CompletableFuture.completedStage(null) : null;
                return;
            }
            last = takeLast();
        }
        last.run();
    }

    /** Closes, and waits for the end. */
    public void await(CompletionStage<Void> end) {
        callers.waiting().until(end);
    }

    /** Called when it was closed for good; at once if its actor is gone. */
    public void whenClosed(Runnable action) {
        synchronized (this) {
            if (!gone) {
                whenClosed = whenClosed == NOTHING ? action : new InTurn(whenClosed, action);
                return;
            }
        }
        action.run();
    }

    /** Most doors have one thing to do at their end, and few another one. */
    private record InTurn(Runnable first, Runnable second) implements Runnable {
        @Override
        public void run() {
            first.run();
            second.run();
        }
    }

    private Runnable takeLast() {
        Runnable last = whenClosed;
        whenClosed = NOTHING;
        return last;
    }

    /** The actor ends because it was told to; whom it handed that on to answers for it. */
    public synchronized void obeyed() {
        closer = null;
    }

    /**
     * The actor is gone, closed or not: whoever waits for a verb is told. Where it was stopped from outside, it may never have
     * heard that it is closed, and whoever waits for that is told, too.
     */
    public void shut() {
        List<Reply<?>> left;
        Runnable last;
        Reply<Void> deaf;
        synchronized (this) {
            gone = true;
            boolean obeys =
                    closing != null && closer == null; // then it is closed when that is answered, and not before
            if (closing == null) {
                closing = CompletableFuture.completedStage(null);
            }
            deaf = closer;
            left = List.copyOf(unanswered.keySet());
            last = obeys ? NOTHING : takeLast();
        }
        left.forEach(reply -> reply.fail(whyGone()));
        last.run();
        if (deaf != null) {
            Reply.done(deaf);
        }
    }
}
