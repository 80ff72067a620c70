// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.key;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.actors.service.Services;
import org.hcaactors.actors.stage.CrashAware;
import org.hcaactors.actors.stage.CrashSupervisor;
import org.hcaactors.adapter.audit.Audited;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.key.ChangeListener;
import org.hcaactors.adapter.key.KeyChange;
import org.hcaactors.adapter.key.LeaseRequest;
import org.hcaactors.adapter.key.ParentKey;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.adapter.key.Translation;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.api.capability.VerbTimes;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.time.ActorTimer;
import org.hcaactors.fabric.time.DeferredActions;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/** The actor of one memory key. It ends when the key is taken away and nobody can ask for it any more. */
public final class TranslatorActor implements CrashAware<TranslatorActor.Command> {
    /** What a translator understands. */
    public sealed interface Command {}

    /** Somebody wants to use the key. */
    public record Ask(LeaseRequest<LeaseHolder> leaseRequest) implements Command {}

    public record Released(long grant) implements Command {}

    /** It shall show something else. */
    public record Change(KeyChange change, ChangeListener listener) implements Command {}

    /** Its registration is answered when it has taken its time. */
    public record Made(Runnable answers) implements Command {}

    /** Take the key away; told when no lease is out, or why it stays. */
    public record Deregister(ChangeListener gone) implements Command {}

    /** What happened around it. */
    public enum Note implements Command {
        /** It was taken away, and nobody finds it any more. */
        FORGOTTEN,

        // rule firmware-restart
        /** Its adapter started anew, and knows none of the keys of before. */
        RESTARTED,

        /** Something has taken its time. */
        DUE
    }

    private record PartGranted(long parents, Lease lease) implements Command {}

    private record PartRefused(long parents, int key, Denial reason) implements Command {}

    private record PartRevoked(long parents, long grant) implements Command {}

    /** As the translators of the keys know it through which it shows memory. */
    private record PartHolder(ActorRef<Command> actor, long parents) implements LeaseHolder {
        @Override
        public void granted(Lease lease) {
            actor.tell(new PartGranted(parents, lease));
        }

        @Override
        public void refused(int key, Denial reason) {
            actor.tell(new PartRefused(parents, key, reason));
        }

        @Override
        public void revoke(long grant) {
            actor.tell(new PartRevoked(parents, grant));
        }

        // Its translator dies for all of its footings, of which there may be any number in its life.
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof PartHolder same && actor.equals(same.actor);
        }

        @Override
        public int hashCode() {
            return actor.hashCode();
        }
    }

    private final ActorContext<Command> context;
    private final Translation<LeaseHolder> translation;
    private final Services services;
    private final Audited audited;
    private final DeferredActions lag;
    private final Map<ActorRef<?>, LeaseHolder> watched = new LinkedHashMap<>();

    private TranslatorActor(ActorContext<Command> context, TranslatedKey key, KeyDirectory keys, Services services) {
        this.services = services;
        this.context = context;
        ActorRef<Command> self = context.getSelf();
        lag = new DeferredActions(new ActorTimer<>(context, Note.DUE), services.clock());
        this.translation =
                new Translation<>(key, grant -> self.tell(new Released(grant)), new Orders(self, keys, services));
        audited = () -> new ResourceSnapshot.Translator(
                services.adapter(), translation.key(), translation.leases(), translation.standsOn());
    }

    /** @param keys finds those through which it shows memory */
    public static Behavior<Command> create(TranslatedKey key, KeyDirectory keys, Services services) {
        return CrashSupervisor.of(context -> {
            TranslatorActor made = new TranslatorActor(context, key, keys, services);
            services.audit().opened(made.audited);
            return made;
        });
    }

    /** What its machine wants done. */
    private record Orders(ActorRef<Command> self, KeyDirectory keys, Services services)
            implements Translation.Effects<LeaseHolder> {
        @Override
        public void grant(LeaseHolder holder, Lease lease) {
            holder.granted(lease);
        }

        @Override
        public void refuse(LeaseHolder holder, int key, Denial reason) {
            holder.refused(key, reason);
        }

        @Override
        public void revoke(LeaseHolder holder, long grant) {
            holder.revoke(grant);
        }

        @Override
        public void became(long cause, int before, TranslatedKey told) {
            AdapterTrace trace = services.trace();
            if (trace.enabled()) {
                trace.record(cause, at -> told.news(at, trace.port(), before));
            }
        }

        @Override
        public void gone(int key) {
            AdapterTrace trace = services.trace();
            if (trace.enabled()) {
                trace.record(0, at -> new HcaEvent.KeyDeregistered(at, trace.port(), Element.key(key)));
            }
        }

        @Override
        public void askPart(long parents, ParentKey part, int depth) {
            keys.ask(LeaseRequest.of(part, depth, new PartHolder(self, parents)));
        }
    }

    /**
     * A translation that can't be trusted is taken away: every lease is called back and none is granted any more
     * (rule event-crash).
     */
    @Override
    public VerbsException crashed(Object message, Throwable crash) {
        VerbsException reason = new VerbsException(
                Errno.EIO, "the translator of key 0x%08x crashed".formatted(translation.key()), crash);
        translation.lost();
        switch (message) {
            case Ask ask -> ask.leaseRequest.holder().refused(ask.leaseRequest.key(), new Denial.Unregistered());
            case Released released -> translation.released(released.grant);
            case PartGranted part -> part.lease.release();
            case Made made -> made.answers.run();
            case Deregister deregister -> translation.end(deregister.gone);
            case Change change -> change.listener.changed(Optional.of(new Denial.Unregistered()));
            default -> {}
        }
        return reason;
    }

    @Override
    @MutationPoint("translator-actor.on")
    public Behavior<Command> on(Command command) {
        switch (command) {
            case Ask ask -> ask(ask.leaseRequest);
            case Released released -> translation.released(released.grant);
            case Change change -> translation.change(change.change, late(change));
            case Made made -> lag.after(services.nanos(VerbTimes.Step.REGISTER), made.answers);
            case Deregister deregister -> translation.end(deregister.gone);
            case PartGranted part -> translation.partGranted(part.parents, part.lease);
            case PartRefused part -> translation.partRefused(part.parents, part.key, part.reason);
            case PartRevoked part -> translation.partRevoked(part.parents, part.grant);
            case Note note -> {
                switch (note) {
                    case FORGOTTEN -> {
                        return Behaviors.stopped();
                    }
                    case RESTARTED -> translation.lost();
                    case DUE -> lag.due();
                }
            }
        }
        return Behaviors.same();
    }

    // rule memory-verb-times
    /** What is done is told when it has taken its time; what is refused, at once. */
    private ChangeListener late(Change change) {
        long nanos = services.nanos(
                switch (change.change) {
                    case KeyChange.Bind bind -> VerbTimes.Step.BIND;
                    case KeyChange.Show show -> VerbTimes.Step.BIND;
                    case KeyChange.Invalidate invalidate -> VerbTimes.Step.INVALIDATE;
                    case KeyChange.Reregister again -> VerbTimes.Step.REGISTER;
                });
        return nanos == 0
                ? change.listener
                : refusal -> lag.after(refusal.isPresent() ? 0 : nanos, () -> change.listener.changed(refusal));
    }

    @Override
    public Behavior<Command> onSignal(Signal signal) {
        if (signal instanceof PostStop) {
            CrashSupervisor.attempt(lag::flush);
            services.audit().closed(audited);
            return Behaviors.same();
        }
        if (signal instanceof Terminated dead) {
            LeaseHolder holder = watched.remove(dead.getRef());
            if (holder != null) {
                translation.died(holder);
            }
            return Behaviors.same();
        }
        return Behaviors.unhandled();
    }

    private void ask(LeaseRequest<LeaseHolder> leaseRequest) {
        if (!translation.isEnding()) {
            watch(leaseRequest.holder());
        }
        translation.ask(leaseRequest);
    }

    private void watch(LeaseHolder holder) {
        if (watched.putIfAbsent(holder.actor(), holder) == null) {
            context.watch(holder.actor());
        }
    }
}
