// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.actors.connection.CmActor;
import org.hcaactors.actors.connection.CmReceiver;
import org.hcaactors.actors.event.EventQueueActor;
import org.hcaactors.actors.key.KeyBlueprint;
import org.hcaactors.actors.key.KeyDirectory;
import org.hcaactors.actors.key.LeaseHolder;
import org.hcaactors.actors.key.TranslatorActor;
import org.hcaactors.actors.paging.PagerActor;
import org.hcaactors.actors.service.Blueprint;
import org.hcaactors.actors.service.NumberedObject;
import org.hcaactors.actors.service.Services;
import org.hcaactors.actors.stage.Callers;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.actors.stage.CrashAware;
import org.hcaactors.actors.stage.CrashSupervisor;
import org.hcaactors.adapter.audit.Audited;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.DependencyFailure;
import org.hcaactors.adapter.flow.EventDetail;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.adapter.key.ChangeListener;
import org.hcaactors.adapter.key.KeyChange;
import org.hcaactors.adapter.key.KeyLimits;
import org.hcaactors.adapter.key.KeyTable;
import org.hcaactors.adapter.key.LeaseRequest;
import org.hcaactors.adapter.number.FirstNumbers;
import org.hcaactors.adapter.number.NumberSpace;
import org.hcaactors.adapter.paging.PagingCommand;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.adapter.service.NumberDesk;
import org.hcaactors.adapter.service.ObjectLimits;
import org.hcaactors.adapter.stage.ExpectsReply;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.capability.VerbTimes;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.PageLatency;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.fabric.actor.FabricActor;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/** Actor of one adapter: assigns numbers to its objects, and finds the translator of each key. */
final class AdapterActor implements CrashAware<AdapterActor.Command> {
    /** Commands of an adapter. */
    sealed interface Command {}

    /** Commands that an adapter in error refuses. */
    sealed interface Creation extends Command, ExpectsReply {
        Services on();
    }

    /** Creates an object from a blueprint, for a context and the services with which it was opened. */
    record Create<C, H>(Services on, Blueprint<C, H> blueprint, Reply<H> reply) implements Creation {}

    /** Registers an object that has a key; the reply is the key. */
    record Register(Services on, KeyBlueprint<?> blueprint, Reply<Integer> reply) implements Creation {}

    /**
     * Restarts the adapter.
     *
     * @param next services of contexts that are opened from now on
     * @param inEffect called when these can be used
     * @param how kind of restart
     */
    record Restart(Services next, Consumer<Services> inEffect, EventDetail.Plainly how, Reply<Void> reply)
            implements Command, ExpectsReply {}

    /** Refuses every creation from now on. EBUSY if the adapter has queue pairs. */
    record Remove(Reply<Void> reply) implements Command, ExpectsReply {}

    record Deregister(int key, Reply<Void> reply) implements Command, ExpectsReply {}

    /**
     * Reports a change of the port to every context.
     *
     * @param reason the change, and the party that made it
     */
    record PortChanged(AsyncEvent.Kind kind, Reason reason) implements Command {}

    /** Replaces the link. Sent through the adapter, which registers its port with the first link. */
    record Relink(LinkProperties link) implements Command {}

    record OpenEvents(Callers callers, Reply<CommandSender<EventQueueActor.Command<AsyncEvent>>> reply)
            implements Command, ExpectsReply {}

    record CloseEvents(CommandSender<EventQueueActor.Command<AsyncEvent>> stream, Reply<Void> reply)
            implements Command, ExpectsReply {}

    /** Requests a lease of a key. */
    record RequestLease(LeaseRequest<LeaseHolder> leaseRequest) implements Command {}

    /** Changes the memory of a key. */
    record ChangeKey(int key, KeyChange change, ChangeListener listener) implements Command {}

    /** A command for the adapter's pager. */
    record Page(PagingCommand command) implements Command {}

    /** A command for the adapter's pager that is answered. */
    record PageVerb(PagingCommand.Verb command) implements Command, ExpectsReply {
        @Override
        public Reply<?> reply() {
            return command.reply();
        }
    }

    /** A command for communication management. */
    record Manage(CmActor.Command command) implements Command {}

    /** A command for communication management that is answered. */
    record ManageVerb(CmActor.Verb command) implements Command, ExpectsReply {
        @Override
        public Reply<?> reply() {
            return command.reply();
        }

        @Override
        public String words() {
            return command.words();
        }
    }

    /** Commands without parameters. */
    enum Note implements Command {
        /** The host is gone without an order, and so is what communication management knew. */
        POWER_LOST
    }

    private record KeyDeregistered(int key) implements Command {}

    private record NumberFree(int number) implements Command {}

    private record NumberHeld(int number) implements Command {}

    private record NumberReleased(int number) implements Command {}

    private final ActorContext<Command> context;
    private final KeyTable<ActorRef<TranslatorActor.Command>> keys;
    private final KeyLimits keyLimits = new KeyLimits();
    private final HeldNumbers fabricNumbers;

    /** Objects by their number on the fabric. */
    private final NumberedObjects numbered = new NumberedObjects();

    /** Number of objects created so far, for the kinds with a numbering of their own. */
    private final Map<ObjectKind, Integer> counted = new EnumMap<>(ObjectKind.class);

    private final Audited audited = this::snapshot;
    private final EventStreams events;
    private final long guid;
    private final int firstCommunication;
    private final PageLatency latency;
    /** Services since the last restart. */
    private Services services;

    private boolean removed;

    private @Nullable ActorRef<PagerActor.Command> pager;

    /** Queue pair 1. */
    private final Endpoint management;

    private @Nullable ActorRef<CmActor.Command> connections;

    private AdapterActor(
            ActorContext<Command> context, Services services, FirstNumbers first, long guid, PageLatency latency) {
        this.context = context;
        this.guid = guid;
        this.latency = latency;
        this.services = services;
        this.events = new EventStreams(context, services);
        this.keys = new KeyTable<>(first.key());
        firstCommunication = first.communication();
        this.fabricNumbers = new HeldNumbers(new NumberSpace(
                "queue pairs", FirstNumbers.MIN_QUEUE_PAIR, FirstNumbers.MAX_QUEUE_PAIR, first.queuePair()));
        ActorRef<Command> self = context.getSelf();
        management = new CmReceiver(services, command -> self.tell(new Manage(command))).endpoint();
    }

    /**
     * @param first first numbers of its objects
     * @param guid of the adapter
     * @param latency of the host's page faults
     */
    static Behavior<Command> create(
            Services services, FirstNumbers first, long guid, LinkProperties link, PageLatency latency) {
        return CrashSupervisor.of(context -> {
            AdapterActor adapter = new AdapterActor(context, services, first, guid, latency);
            adapter.plugPort(link, Optional.of(adapter.management));
            adapter.publishPort();
            services.audit().opened(adapter.audited);
            return adapter;
        });
    }

    /**
     * Raises DEVICE_FATAL: every queue pair enters ERR, and nothing can be created, changed or queried any more. Open objects
     * can be closed (rule event-crash).
     */
    @Override
    public VerbsException crashed(Object message, Throwable crash) {
        if (message instanceof RequestLease ask) {
            ask.leaseRequest.holder().refused(ask.leaseRequest.key(), new Denial.Unregistered());
        }
        if (message instanceof ChangeKey change) {
            change.listener.changed(Optional.of(new Denial.Unregistered()));
        }
        if (message instanceof Page page && page.command instanceof PagingCommand.Serve serve) {
            serve.listener().served(0, Optional.of(new Denial.Unregistered()));
        }
        if (services.health().failed(crash)) {
            fatal(DependencyFailure.ITS_ACTOR);
        }
        return services.health().inError(crash);
    }

    /** Fails the objects created since the last restart. */
    @MutationPoint("adapter-actor.fatal")
    private void fatal(Reason reason) {
        numbered.adapterFailed(services.health(), context);
        forgetConnections();
        events.raise(new AsyncEvent(AsyncEvent.Kind.DEVICE_FATAL, 0), reason);
    }

    private void forgetConnections() {
        if (connections != null) {
            connections.tell(CmActor.Note.DEVICE_FAILED);
        }
    }

    // rule firmware-restart
    /** For open objects a restart is like a crash; contexts that are opened from now on use a device without a fault. */
    private void restarted(Restart command) {
        if (services.health().restarted(ReasonTexts.of(command.how))) {
            fatal(command.how);
        }
        keys.all().forEach(translator -> translator.tell(TranslatorActor.Note.RESTARTED));
        services = command.next;
        command.inEffect.accept(services);
        Reply.done(command.reply);
    }

    @Override
    public Behavior<Command> on(Command command) {
        switch (command) {
            case Creation verb -> create(verb);
            case Deregister deregister -> deregister(deregister);
            case OpenEvents open -> events.open(open.callers, open.reply);
            case CloseEvents close -> events.close(close.stream, close.reply);
            case Restart restarted -> restarted(restarted);
            case Remove remove -> remove(remove.reply);
            case PortChanged changed -> portChanged(changed);
            case Relink relink -> plugPort(relink.link, Optional.empty());
            case RequestLease ask -> requestLease(ask.leaseRequest);
            case ChangeKey change -> change(change);
            case Page page -> pager().tell(new PagerActor.Execute(page.command));
            case PageVerb verb -> pager().tell(new PagerActor.Execute(verb.command));
            case Manage manage -> connections().tell(manage.command);
            case ManageVerb verb -> connections().tell(verb.command);
            case Note powerLost -> forgetConnections();
            case NumberHeld held -> fabricNumbers.hold(held.number);
            case NumberReleased released -> fabricNumbers.release(released.number);
            case KeyDeregistered deregistered -> forget(deregistered.key);
            case NumberFree free -> {
                numbered.remove(free.number);
                fabricNumbers.free(free.number);
            }
        }
        return Behaviors.same();
    }

    @Override
    public Behavior<Command> onSignal(Signal signal) {
        if (signal instanceof PostStop) {
            services.audit().closed(audited);
            if (removed) { // Its children have ended: they send nothing more.
                services.fabric()
                        .tell(new FabricActor.RemovePort(services.port().address()));
            }
            return Behaviors.same();
        }
        return Behaviors.unhandled();
    }

    private ResourceSnapshot snapshot() {
        return new ResourceSnapshot.Adapter(
                services.adapter(),
                numbered.numbers(),
                keys.indices(),
                fabricNumbers.inUse(),
                keys.inUse(),
                events.count());
    }

    // rule placement-remove
    private void remove(Reply<Void> reply) {
        int queuePairs = fabricNumbers.inUse();
        if (queuePairs > 0) {
            reply.fail(new VerbsException(
                    Errno.EBUSY,
                    "adapter " + services.adapter() + " has " + queuePairs + " queue pair"
                            + (queuePairs == 1 ? "" : "s") + "; it can be removed when it has none"));
            return;
        }
        removed = true;
        Reply.done(reply);
    }

    /** Without a free number the verb is refused; that is not a crash. */
    @MutationPoint("adapter-actor.create")
    private void create(Creation verb) {
        if (verb.on().health().refuses(verb.reply())) {
            return;
        }
        if (removed) {
            verb.reply().fail(new VerbsException(Errno.EIO, "adapter " + services.adapter() + " has been removed"));
            return;
        }
        try {
            switch (verb) {
                case Create<?, ?> create -> make(create);
                case Register register -> register(register);
            }
        } catch (VerbsException refused) {
            verb.reply().fail(refused);
        }
    }

    private <C, H> void make(Create<C, H> create) {
        ObjectKind kind = create.blueprint.kind();
        if (kind.numbers() == ObjectKind.Numbers.FABRIC) {
            settle(create);
        } else {
            spawn(create, counted.merge(kind, 1, Integer::sum));
        }
    }

    // rule event-object-limits
    /** The object reports when it is destroyed or cannot be created; its number is then free again. */
    private <C, H> void settle(Create<C, H> create) {
        int max = create.on.profile().objects().maxQueuePairs();
        if (fabricNumbers.inUse() >= max) {
            throw ObjectLimits.beyond(create.blueprint.kind(), max);
        }
        int number = fabricNumbers.take();
        try {
            spawn(create, number);
        } catch (RuntimeException | Error failed) {
            fabricNumbers.free(number);
            throw failed;
        }
        Blueprint<C, H> of = create.blueprint;
        numbered.add(number, new NumberedObject<>(of.kind(), create.on.health(), of.whenAdapterFails()));
    }

    private <C, H> void spawn(Create<C, H> create, int number) {
        Blueprint<C, H> blueprint = create.blueprint;
        Behavior<C> behavior = blueprint.behavior(number, create.on, create.reply);
        context.spawn(
                behavior, blueprint.kind().actor(number), services.shards().at(blueprint.shard()));
    }

    private void register(Register register) {
        KeyBlueprint<?> blueprint = register.blueprint;
        keyLimits.check(blueprint.kind(), blueprint.max());
        int key = keys.register(number -> context.spawn(
                TranslatorActor.create(blueprint.translatedKey(number), directory(context.getSelf()), register.on),
                blueprint.kind().actor(number),
                services.shards().first()));
        keyLimits.added(key, blueprint.kind(), blueprint.max());
        blueprint.announce(key, register.on);
        boolean later = blueprint.kind() == ObjectKind.REGION && register.on.nanos(VerbTimes.Step.REGISTER) > 0;
        Optional<ActorRef<TranslatorActor.Command>> answers = later ? keys.find(key) : Optional.empty();
        Runnable done = () -> register.reply.succeed(key);
        answers.ifPresentOrElse(made -> made.tell(new TranslatorActor.Made(done)), done);
    }

    /** Returns a directory that finds translators. */
    static KeyDirectory directory(ActorRef<Command> adapter) {
        return new KeyDirectory() {
            @Override
            public void requestLease(LeaseRequest<LeaseHolder> leaseRequest) {
                adapter.tell(new RequestLease(leaseRequest));
            }

            @Override
            public void change(int key, KeyChange change, ChangeListener listener) {
                adapter.tell(new ChangeKey(key, change, listener));
            }
        };
    }

    /** Returns a desk that takes numbers back. */
    static NumberDesk numbers(ActorRef<Command> adapter) {
        return new NumberDesk() {
            @Override
            public void free(int number) {
                adapter.tell(new NumberFree(number));
            }

            @Override
            public void hold(int number) {
                adapter.tell(new NumberHeld(number));
            }

            @Override
            public void release(int number) {
                adapter.tell(new NumberReleased(number));
            }
        };
    }

    /** Created for the first on-demand region; other adapters have none. */
    private ActorRef<PagerActor.Command> pager() {
        ActorRef<PagerActor.Command> running = pager;
        if (running == null) {
            running = context.spawn(
                    PagerActor.create(latency, services),
                    "pager",
                    services.shards().first());
            pager = running;
        }
        return running;
    }

    /** Created for the first listener or connection, or the first datagram of a peer. */
    private ActorRef<CmActor.Command> connections() {
        ActorRef<CmActor.Command> running = connections;
        if (running == null) {
            running = context.spawn(
                    CmActor.create(management, numbers(context.getSelf()), guid, firstCommunication, services),
                    "cm",
                    services.shards().first());
            connections = running;
        }
        return running;
    }

    private void requestLease(LeaseRequest<LeaseHolder> leaseRequest) {
        keys.find(leaseRequest.key())
                .ifPresentOrElse(
                        translator -> translator.tell(new TranslatorActor.RequestLease(leaseRequest)),
                        () -> leaseRequest.holder().refused(leaseRequest.key(), new Denial.Unregistered()));
    }

    private void change(ChangeKey change) {
        keys.find(change.key)
                .ifPresentOrElse(
                        translator -> translator.tell(new TranslatorActor.Change(change.change, change.listener)),
                        () -> change.listener.changed(Optional.of(new Denial.Unregistered())));
    }

    /** The translator replies when the key is not in use any more. */
    private void deregister(Deregister deregister) {
        keys.find(deregister.key)
                .ifPresentOrElse(
                        translator -> translator.tell(new TranslatorActor.Deregister(listener(deregister))),
                        () -> deregister.reply.fail(
                                VerbsException.invalid("key 0x%08x is not registered".formatted(deregister.key))));
    }

    private ChangeListener listener(Deregister deregister) {
        ActorRef<Command> self = context.getSelf();
        int key = deregister.key;
        return refusal -> {
            if (refusal.isPresent()) {
                deregister.reply.fail(KeyRefusal.of(key, refusal.get()));
                return;
            }
            self.tell(new KeyDeregistered(key));
            Reply.done(deregister.reply);
        };
    }

    /** From here on the key is not found. Requests sent earlier reach the translator before this note. */
    private void forget(int key) {
        keys.remove(key).ifPresent(translator -> {
            translator.tell(TranslatorActor.Note.REMOVED);
            keyLimits.released(key);
        });
    }

    private void plugPort(LinkProperties link, Optional<Endpoint> withManagement) {
        services.fabric()
                .tell(new FabricActor.PlugPort(
                        services.adapter(), services.port().address(), link, withManagement));
    }

    private void publishPort() {
        PortAddress address = services.port().address();
        PortAttributes now = services.port().attributes();
        List<PortAddress> all =
                now.gidTable().stream().map(LocalPort::addressOf).toList();
        services.fabric().tell(new FabricActor.Addresses(address, all));
        services.fabric().tell(new FabricActor.Plugged(address, now.active()));
    }

    private void portChanged(PortChanged changed) {
        publishPort();
        events.raise(new AsyncEvent(changed.kind, 1), changed.reason);
    }
}
