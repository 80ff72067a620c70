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

/** Actor of one memory key. It stops when the key is deregistered and cannot be found any more. */
public final class TranslatorActor implements CrashAware<TranslatorActor.Command> {
    /** Commands of a translator. */
    public sealed interface Command {}

    /** Requests a lease of the key. */
    public record RequestLease(LeaseRequest<LeaseHolder> leaseRequest) implements Command {}

    public record Released(long grant) implements Command {}

    /** Changes the memory behind the key. */
    public record Change(KeyChange change, ChangeListener listener) implements Command {}

    /** Replies to the registration when its time has passed. */
    public record Made(Runnable answers) implements Command {}

    /** Deregisters the key; the listener is called when no lease is out, or with the reason why the key stays. */
    public record Deregister(ChangeListener listener) implements Command {}

    /** Notifications. */
    public enum Note implements Command {
        /** The key was deregistered and cannot be found any more. */
        REMOVED,

        // rule firmware-restart
        /** The adapter has restarted, and its earlier keys are invalid. */
        RESTARTED,

        /** The delay of an action has passed. */
        DUE
    }

    private record PartGranted(long parents, Lease lease) implements Command {}

    private record PartRefused(long parents, int key, Denial reason) implements Command {}

    private record PartRevoked(long parents, long grant) implements Command {}

    /** Holder of leases of the keys through which this key refers to memory. */
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

        // Equal for all lease sets of one translator, however many it has during its life, since they end together.
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
                services.adapter(), translation.key(), translation.leases(), translation.leasedKeys());
    }

    /** @param keys finds the keys through which it refers to memory */
    public static Behavior<Command> create(TranslatedKey key, KeyDirectory keys, Services services) {
        return CrashSupervisor.of(context -> {
            TranslatorActor made = new TranslatorActor(context, key, keys, services);
            services.audit().opened(made.audited);
            return made;
        });
    }

    /** Effects of the machine. */
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
        public void became(long cause, int before, TranslatedKey traced) {
            AdapterTrace trace = services.trace();
            if (trace.enabled()) {
                trace.record(cause, at -> traced.changeEvent(at, trace.port(), before));
            }
        }

        @Override
        public void deregistered(int key) {
            AdapterTrace trace = services.trace();
            if (trace.enabled()) {
                trace.record(0, at -> new HcaEvent.KeyDeregistered(at, trace.port(), Element.key(key)));
            }
        }

        @Override
        public void requestParent(long parents, ParentKey part, int depth) {
            keys.requestLease(LeaseRequest.of(part, depth, new PartHolder(self, parents)));
        }
    }

    /** The translation is not trusted after a crash: every lease is revoked and no more are granted (rule event-crash). */
    @Override
    public VerbsException crashed(Object message, Throwable crash) {
        VerbsException reason = new VerbsException(
                Errno.EIO, "the translator of key 0x%08x crashed".formatted(translation.key()), crash);
        translation.lost();
        switch (message) {
            case RequestLease ask ->
                ask.leaseRequest.holder().refused(ask.leaseRequest.key(), new Denial.Unregistered());
            case Released released -> translation.released(released.grant);
            case PartGranted part -> part.lease.release();
            case Made made -> made.answers.run();
            case Deregister deregister -> translation.end(deregister.listener);
            case Change change -> change.listener.changed(Optional.of(new Denial.Unregistered()));
            default -> {}
        }
        return reason;
    }

    @Override
    @MutationPoint("translator-actor.on")
    public Behavior<Command> on(Command command) {
        switch (command) {
            case RequestLease ask -> requestLease(ask.leaseRequest);
            case Released released -> translation.released(released.grant);
            case Change change -> translation.change(change.change, late(change));
            case Made made -> lag.after(services.nanos(VerbTimes.Step.REGISTER), made.answers);
            case Deregister deregister -> translation.end(deregister.listener);
            case PartGranted part -> translation.partGranted(part.parents, part.lease);
            case PartRefused part -> translation.partRefused(part.parents, part.key, part.reason);
            case PartRevoked part -> translation.partRevoked(part.parents, part.grant);
            case Note note -> {
                switch (note) {
                    case REMOVED -> {
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
    /** Delays the reply of a change that succeeds; a refusal is reported at once. */
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

    private void requestLease(LeaseRequest<LeaseHolder> leaseRequest) {
        if (!translation.isEnding()) {
            watch(leaseRequest.holder());
        }
        translation.request(leaseRequest);
    }

    private void watch(LeaseHolder holder) {
        if (watched.putIfAbsent(holder.actor(), holder) == null) {
            context.watch(holder.actor());
        }
    }
}
