package org.hcaactors.adapter.device;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ExtensibleBehavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.adapter.completion.CompletionQueueActor;
import org.hcaactors.adapter.completion.CompletionQueueHandle;
import org.hcaactors.adapter.counter.Counters;
import org.hcaactors.adapter.event.CompletionChannelHandle;
import org.hcaactors.adapter.event.EventQueueActor;
import org.hcaactors.adapter.event.EventSink;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.Breakdown;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.memory.AddressSpace;
import org.hcaactors.adapter.memory.HostBuffers;
import org.hcaactors.adapter.memory.KeySpace;
import org.hcaactors.adapter.memory.LeaseHolder;
import org.hcaactors.adapter.memory.TranslatorActor;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.adapter.queue.QpPlan;
import org.hcaactors.adapter.queue.QueuePairActor;
import org.hcaactors.adapter.queue.Surroundings;
import org.hcaactors.adapter.queue.WorkQueues;
import org.hcaactors.adapter.srq.SharedReceiveActor;
import org.hcaactors.adapter.srq.SharedReceiveHandle;
import org.hcaactors.adapter.stage.Answerable;
import org.hcaactors.adapter.stage.Door;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.stage.Survival;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.QpBuilder;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.SrqCapacity;
import org.hcaactors.fabric.link.FabricActor;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.TransportClass;
import org.jspecify.annotations.Nullable;

/** The actor of one adapter: makes its objects, numbers them, and knows which translator is behind each key. */
final class AdapterActor extends ExtensibleBehavior<AdapterActor.Command> implements Survival.Survivor {
    /** What an adapter understands. */
    sealed interface Command {}

    /** What an adapter in error refuses. */
    sealed interface Creation extends Command, Answerable {}

    record CreateCq(CqDescription wanted, EventSink events, Reply<CompletionQueueHandle> reply) implements Creation {}

    record CreateChannel(Reply<CompletionChannelHandle> reply) implements Creation {}

    record CreateQp(
            TransportClass transport,
            int domain,
            QpCapacity capacity,
            QpBuilder.Options options,
            CompletionQueueHandle sendCq,
            CompletionQueueHandle recvCq,
            Optional<SharedReceiveHandle> srq,
            AddressSpace space,
            EventSink events,
            Reply<WorkQueues> reply)
            implements Creation {}

    record CreateSrq(int domain, SrqCapacity capacity, EventSink events, Reply<SharedReceiveHandle> reply)
            implements Creation {}

    /** A queue pair behaves as if it had no receive. */
    record Starve(int queuePair, int messages) implements Command {}

    /** Something happened to the port that every context is told. */
    /** @param why who changed what */
    record PortChanged(AsyncEvent.Kind kind, String why) implements Command {}

    /** Another cable. By way of the adapter, which announces its port with the first one. */
    record Relink(LinkProperties link) implements Command {}

    record Register(
            String process,
            int domain,
            HostBuffers memory,
            long address,
            long lengthBytes,
            AccessFlags rights,
            Reply<Integer> reply)
            implements Creation {}

    record Deregister(int key, Reply<Void> reply) implements Command, Answerable {}

    record OpenEvents(Reply<ActorRef<EventQueueActor.Command<AsyncEvent>>> reply) implements Command, Answerable {}

    record CloseEvents(ActorRef<EventQueueActor.Command<AsyncEvent>> stream, Reply<Void> reply)
            implements Command, Answerable {}

    /** A queue pair wants to use a key. */
    private record AskKey(int key, LeaseHolder holder) implements Command {}

    private record KeyGone(int key) implements Command {}

    /**
     * Who the adapter is.
     *
     * @param name of the adapter and of its port
     */
    record Identity(String name, LocalPort port, Profile profile, Counters counters) {}

    /** Events that wait in one completion channel. */
    private static final int MAX_WAKEUPS = 1 << 16;

    private static final int FIRST_QP = 0x11;
    private static final int MAX_QP = 0xFF_FFFE;

    private final ActorContext<Command> context;
    private final Identity identity;
    private final Bus bus;
    private final AdapterTrace trace;
    private final KeySpace keys = new KeySpace();
    private final Map<Integer, ActorRef<TranslatorActor.Command>> translators = new LinkedHashMap<>();
    private final Set<ActorRef<QueuePairActor.Command>> queuePairActors = new LinkedHashSet<>();
    private boolean failed;
    private @Nullable Command current;
    private int queuePairs;
    private int completionQueues;
    private int sharedReceives;
    private int channels;
    private int contexts;
    private final List<ActorRef<EventQueueActor.Command<AsyncEvent>>> eventStreams = new ArrayList<>();

    private AdapterActor(ActorContext<Command> context, Identity identity, Bus bus) {
        this.context = context;
        this.identity = identity;
        this.bus = bus;
        this.trace = new AdapterTrace(bus.trace(), bus.clock(), identity.name);
    }

    static Behavior<Command> create(Identity identity, LinkProperties link, Bus bus) {
        return Survival.of(context -> {
            AdapterActor adapter = new AdapterActor(context, identity, bus);
            adapter.plugPort(link);
            adapter.publishPort();
            return adapter;
        });
    }

    /** DEVICE_FATAL: every queue pair goes to ERR, and nothing can be created any more. What is open can be closed. */
    @Override
    public void crashed() {
        failed = true;
        switch (current) {
            case AskKey ask -> ask.holder.refused(ask.key);
            case Answerable verb -> verb.reply().fail(inError());
            case null, default -> {}
        }
        current = null;
        raise(new AsyncEvent(AsyncEvent.Kind.DEVICE_FATAL, 0), Breakdown.ITS_ACTOR.words());
        queuePairActors.forEach(actor -> actor.tell(QueuePairActor.deviceFailed()));
    }

    private VerbsException inError() {
        return new VerbsException(Errno.EIO, "adapter " + identity.name + " crashed and is in error");
    }

    @Override
    public Behavior<Command> receive(TypedActorContext<Command> typed, Command command) {
        current = command;
        if (failed && command instanceof Creation verb) {
            verb.reply().fail(inError());
        } else {
            on(command);
        }
        current = null;
        return Behaviors.same();
    }

    @Override
    public Behavior<Command> receiveSignal(TypedActorContext<Command> typed, Signal signal) {
        if (signal instanceof Terminated dead) {
            queuePairActors.removeIf(actor -> actor.path().equals(dead.getRef().path()));
            return Behaviors.same();
        }
        return Behaviors.unhandled();
    }

    private void on(Command command) {
        switch (command) {
            case CreateCq create -> createCq(create);
            case CreateChannel create -> createChannel(create.reply);
            case CreateQp create -> createQp(create);
            case CreateSrq create -> createSrq(create);
            case Register register -> register(register);
            case Deregister deregister -> deregister(deregister);
            case OpenEvents open -> openEvents(open);
            case CloseEvents close -> {
                eventStreams.remove(close.stream);
                close.stream.tell(new EventQueueActor.Destroy<>(close.reply));
            }
            case Starve starve ->
                context.getChild("qp-" + starve.queuePair)
                        .map(child -> child.<QueuePairActor.Command>unsafeUpcast())
                        .ifPresent(child -> child.tell(QueuePairActor.starve(starve.messages)));
            case PortChanged changed -> portChanged(changed);
            case Relink relink -> plugPort(relink.link);
            case AskKey ask -> {
                ActorRef<TranslatorActor.Command> translator = translators.get(ask.key);
                if (translator == null) {
                    ask.holder.refused(ask.key);
                } else {
                    translator.tell(new TranslatorActor.Ask(ask.holder));
                }
            }
            case KeyGone gone -> keys.release(gone.key);
        }
    }

    private void createCq(CreateCq create) {
        CqDescription wanted = create.wanted;
        try {
            Profile.Limits limits = identity.profile.limits();
            QueuePairFactory.within("entries of a completion queue", wanted.entries(), 1, limits.maxCqe());
            QueuePairFactory.within("completion vector", wanted.vector(), 0, limits.completionVectors() - 1);
            Optional<CompletionChannelHandle> channel = wanted.channel().map(this::own);
            int number = ++completionQueues;
            CompletionQueueActor.Setup setup = new CompletionQueueActor.Setup(
                    identity.name,
                    number,
                    wanted,
                    channel,
                    identity.profile,
                    trace,
                    bus.clock(),
                    bus.callers(),
                    bus.waiting(),
                    bus.callerDispatcher(),
                    bus.shard(),
                    create.events);
            context.spawn(CompletionQueueActor.create(setup, create.reply), "cq-" + number, bus.shard());
        } catch (VerbsException refused) {
            create.reply.fail(refused);
        }
    }

    private CompletionChannelHandle own(CompletionChannel channel) {
        if (channel instanceof CompletionChannelHandle handle
                && handle.adapter().equals(identity.name)) {
            return handle;
        }
        throw VerbsException.invalid("a completion channel of another adapter; " + identity.name + " uses its own");
    }

    private void createChannel(Reply<CompletionChannelHandle> reply) {
        int number = ++channels;
        EventQueueActor.Setup<CompletionQueue> setup = new EventQueueActor.Setup<>(
                "completion channel " + number,
                MAX_WAKEUPS,
                true,
                () -> {},
                bus.callers(),
                bus.callerDispatcher(),
                CompletionQueue[]::new);
        ActorRef<EventQueueActor.Command<CompletionQueue>> actor =
                context.spawn(EventQueueActor.create(setup), "channel-" + number, bus.shard());
        reply.succeed(new CompletionChannelHandle(
                identity.name, new Door<>(actor, bus.callers(), bus.waiting(), setup.name())));
    }

    private void createQp(CreateQp create) {
        if (FIRST_QP + queuePairs > MAX_QP) {
            create.reply.fail(VerbsException.invalid("all queue pair numbers were given out"));
            return;
        }
        int number = FIRST_QP + queuePairs++;
        ActorRef<Command> self = context.getSelf();
        Surroundings around = new Surroundings(
                bus.fabric(),
                (key, holder) -> self.tell(new AskKey(key, holder)),
                create.sendCq,
                create.recvCq,
                create.srq,
                create.events,
                identity.counters,
                trace,
                bus.clock(),
                bus.callers(),
                bus.waiting(),
                create.space);
        QpPlan.Receives receives = new QpPlan.Receives(
                create.srq.isPresent(),
                create.srq.map(SharedReceiveHandle::domain).orElse(create.domain));
        QpPlan plan = new QpPlan(
                create.transport,
                number,
                create.domain,
                receives,
                create.capacity,
                create.options,
                identity.port,
                identity.profile);
        ActorRef<QueuePairActor.Command> actor =
                context.spawn(QueuePairActor.create(plan, around, create.reply), "qp-" + number, bus.shard());
        queuePairActors.add(actor);
        context.watch(actor);
    }

    private void createSrq(CreateSrq create) {
        int number = ++sharedReceives;
        SharedReceiveActor.Setup setup = new SharedReceiveActor.Setup(
                identity.name,
                number,
                create.domain,
                create.capacity,
                identity.profile.limits().maxSrqWr(),
                trace,
                bus.callers(),
                bus.waiting(),
                create.events);
        context.spawn(SharedReceiveActor.create(setup, create.reply), "srq-" + number, bus.shard());
    }

    private void openEvents(OpenEvents open) {
        EventQueueActor.Setup<AsyncEvent> setup = new EventQueueActor.Setup<>(
                "the event stream of this context",
                DeviceContext.EVENT_BACKLOG,
                false,
                () -> {},
                bus.callers(),
                bus.callerDispatcher(),
                AsyncEvent[]::new);
        ActorRef<EventQueueActor.Command<AsyncEvent>> stream =
                context.spawn(EventQueueActor.create(setup), "events-" + ++contexts, bus.shard());
        eventStreams.add(stream);
        open.reply.succeed(stream);
    }

    private void plugPort(LinkProperties link) {
        bus.fabric().tell(new FabricActor.PlugPort(identity.name, identity.port.address(), link));
    }

    private void publishPort() {
        PortAttributes now = identity.port.attributes();
        List<PortAddress> all =
                now.gidTable().stream().map(LocalPort::addressOf).toList();
        bus.fabric().tell(new FabricActor.Addresses(identity.port.address(), all));
        bus.fabric().tell(new FabricActor.Plugged(identity.port.address(), now.active()));
    }

    private void portChanged(PortChanged changed) {
        publishPort();
        raise(new AsyncEvent(changed.kind, 1), changed.why);
    }

    /** Every context is told. */
    private void raise(AsyncEvent event, String why) {
        if (trace.enabled()) {
            trace.record(0, at -> new HcaEvent.Raised(at, trace.port(), event, why));
        }
        eventStreams.forEach(stream -> stream.tell(new EventQueueActor.Raised<>(event)));
    }

    private void register(Register register) {
        int key = keys.allocate();
        TranslatorActor.Region region = new TranslatorActor.Region(
                key, register.domain, register.address, register.lengthBytes, register.rights, register.memory);
        translators.put(key, context.spawn(TranslatorActor.create(region), "mr-%08x".formatted(key), bus.shard()));
        if (trace.enabled()) {
            trace.record(
                    0,
                    at -> new HcaEvent.Registered(
                            at,
                            identity.name,
                            register.process,
                            key,
                            register.domain,
                            register.address,
                            register.lengthBytes,
                            register.rights));
        }
        register.reply.succeed(key);
    }

    /** From here on nobody finds the key; its translator answers when nobody uses it. */
    private void deregister(Deregister deregister) {
        ActorRef<TranslatorActor.Command> translator = translators.remove(deregister.key);
        if (translator == null) {
            deregister.reply.fail(VerbsException.invalid("key 0x%08x is not registered".formatted(deregister.key)));
            return;
        }
        ActorRef<Command> self = context.getSelf();
        Runnable gone = () -> {
            if (trace.enabled()) {
                trace.record(0, at -> new HcaEvent.KeyTakenAway(at, identity.name, deregister.key));
            }
            self.tell(new KeyGone(deregister.key));
        };
        translator.tell(new TranslatorActor.Deregister(gone, deregister.reply));
    }
}
