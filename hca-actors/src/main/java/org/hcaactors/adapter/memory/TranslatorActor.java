package org.hcaactors.adapter.memory;

import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.memory.AccessFlags;

/** The actor of one memory key. It ends when the key is taken away. */
public final class TranslatorActor {
    /** What a translator understands. */
    public sealed interface Command {}

    /** A queue pair wants to use the key. */
    public record Ask(LeaseHolder holder) implements Command {}

    public record Released(long grant) implements Command {}

    /** Take the key away; answered when no lease is out. */
    public record Deregister(Runnable gone, Reply<Void> reply) implements Command {}

    /** What a region covers. */
    public record Region(int key, int domain, long address, long lengthBytes, AccessFlags rights, HostBuffers memory) {}

    private record Waiting(Runnable gone, Reply<Void> reply) {}

    private final ActorContext<Command> context;
    private final Translation<LeaseHolder> translation;
    private final List<Waiting> waiting = new ArrayList<>();

    private TranslatorActor(ActorContext<Command> context, Region region) {
        this.context = context;
        ActorRef<Command> self = context.getSelf();
        this.translation = new Translation<>(
                region.key,
                region.domain,
                region.address,
                region.lengthBytes,
                region.rights,
                region.memory,
                grant -> self.tell(new Released(grant)));
    }

    public static Behavior<Command> create(Region region) {
        return Behaviors.setup(context -> new TranslatorActor(context, region).behavior());
    }

    private Behavior<Command> behavior() {
        return Behaviors.<Command>receive(
                (context, command) -> on(command),
                (context, signal) -> signal instanceof Terminated dead ? died(dead.getRef()) : Behaviors.unhandled());
    }

    private Behavior<Command> on(Command command) {
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

    private void ask(LeaseHolder holder) {
        if (translation.isRevoked()) {
            holder.refused(translation.key());
            return;
        }
        context.watch(holder.actor());
        holder.granted(translation.grant(holder));
    }

    private Behavior<Command> died(ActorRef<?> actor) {
        translation.diedIf(holder -> holder.actor().equals(actor));
        return endIfGone();
    }

    private Behavior<Command> endIfGone() {
        if (!translation.isGone()) {
            return Behaviors.same();
        }
        for (Waiting caller : waiting) {
            caller.gone.run();
            Reply.done(caller.reply);
        }
        return Behaviors.stopped();
    }
}
