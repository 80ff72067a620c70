// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.adapter.books.Account;
import org.hcaactors.adapter.books.Books;
import org.hcaactors.adapter.books.Statement;
import org.hcaactors.adapter.stage.Mortal;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.stage.Survivor;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;

/** The actor of one memory key. It ends when the key is taken away. */
public final class TranslatorActor implements Mortal<TranslatorActor.Command> {
    /** What a translator understands. */
    public sealed interface Command {}

    /** A queue pair wants to use the key. */
    public record Ask(LeaseHolder holder) implements Command {}

    public record Released(long grant) implements Command {}

    /** Take the key away; answered when no lease is out. */
    public record Deregister(Runnable gone, Reply<Void> reply) implements Command {}

    private static final long NO_GRANT = -1;

    private record Waiting(Runnable gone, Reply<Void> reply) {}

    private final ActorContext<Command> context;
    private final Translation<LeaseHolder> translation;
    private final Books books;
    private final Account account;
    private final List<Waiting> waiting = new ArrayList<>();
    private final Map<ActorRef<?>, LeaseHolder> watched = new LinkedHashMap<>();

    private TranslatorActor(ActorContext<Command> context, TranslatedKey key, Books books, String adapter) {
        this.books = books;
        this.context = context;
        ActorRef<Command> self = context.getSelf();
        this.translation = new Translation<>(key, grant -> self.tell(new Released(grant)));
        account = () -> new Statement.Translator(adapter, key.key(), translation.leases());
    }

    /** @param adapter its name, for the books */
    public static Behavior<Command> create(String adapter, TranslatedKey key, Books books) {
        return Survivor.of(context -> {
            TranslatorActor made = new TranslatorActor(context, key, books, adapter);
            books.opened(made.account);
            return made;
        });
    }

    /**
     * A translation that can't be trusted is taken away: every lease is called back and none is granted any more
     * (rule event-crash).
     */
    @Override
    public VerbsException crashed(Object message, Throwable crash) {
        switch (message) {
            case Ask ask -> ask.holder.refused(translation.key());
            case Released released -> translation.released(released.grant);
            default -> {}
        }
        translation.revoke().forEach((grant, holder) -> holder.revoke(grant));
        // Whoever waits for it to be gone is answered in a turn of its own.
        context.getSelf().tell(new Released(NO_GRANT));
        return new VerbsException(
                Errno.EIO, "the translator of key 0x%08x crashed".formatted(translation.key()), crash);
    }

    @Override
    public Behavior<Command> on(Command command) {
        switch (command) {
            case Ask ask -> ask(ask.holder);
            case Released released -> translation.released(released.grant);
            case Deregister deregister -> {
                waiting.add(new Waiting(deregister.gone, deregister.reply));
                translation.revoke().forEach((grant, holder) -> holder.revoke(grant));
            }
        }
        return endIfGone();
    }

    @Override
    public Behavior<Command> onSignal(Signal signal) {
        if (signal instanceof PostStop) {
            books.closed(account);
            return Behaviors.same();
        }
        if (signal instanceof Terminated dead) {
            LeaseHolder holder = watched.remove(dead.getRef());
            if (holder != null) {
                translation.died(holder);
            }
            return endIfGone();
        }
        return Behaviors.unhandled();
    }

    private void ask(LeaseHolder holder) {
        if (translation.isRevoked()) {
            holder.refused(translation.key());
            return;
        }
        if (watched.putIfAbsent(holder.actor(), holder) == null) {
            context.watch(holder.actor());
        }
        holder.granted(translation.grant(holder));
    }

    /** It ends when nobody uses the key and someone waits for that. */
    private Behavior<Command> endIfGone() {
        if (!translation.isGone() || waiting.isEmpty()) {
            return Behaviors.same();
        }
        answer();
        return Behaviors.stopped();
    }

    private void answer() {
        while (!waiting.isEmpty()) {
            Waiting caller = waiting.removeLast();
            try {
                caller.gone.run();
            } finally {
                Reply.done(caller.reply);
            }
        }
    }
}
