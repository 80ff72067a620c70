package org.hcaactors.adapter.device;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.adapter.books.Account;
import org.hcaactors.adapter.books.Statement;
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
import org.hcaactors.adapter.memory.Region;
import org.hcaactors.adapter.memory.TranslatorActor;
import org.hcaactors.adapter.number.FirstNumbers;
import org.hcaactors.adapter.number.NumberSpace;
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
import org.hcaactors.adapter.stage.Survivor;
import org.hcaactors.api.capability.CompletionCapabilities;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.queue.SrqCapacity;
import org.hcaactors.fabric.link.FabricActor;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.packet.PortAddress;

/** The actor of one adapter: makes its objects, numbers them, and knows which translator is behind each key. */
final class AdapterActor extends Survivor<AdapterActor.Command> {
    /** What an adapter understands. */
    sealed interface Command {}

    /** What an adapter in error refuses. */
    sealed interface Creation extends Command, Answerable {}

    /** @param channel the one that {@code wanted} names */
    record CreateCq(
            CqDescription wanted,
            Optional<CompletionChannelHandle> channel,
            EventSink events,
            Reply<CompletionQueueHandle> reply)
            implements Creation {}

    record CreateChannel(Reply<CompletionChannelHandle> reply) implements Creation {}

    record CreateQp(
            QpType type,
            int domain,
            QpCapacity capacity,
            QpDescription.Options options,
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

    /**
     * Something happened to the port that every context is told.
     *
     * @param why who changed what
     */
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

    record OpenEvents(Reply<Door<EventQueueActor.Command<AsyncEvent>>> reply) implements Command, Answerable {}

    record CloseEvents(Door<EventQueueActor.Command<AsyncEvent>> stream, Reply<Void> reply)
            implements Command, Answerable {}

    /** A queue pair wants to use a key. */
    private record AskKey(int key, LeaseHolder holder) implements Command {}

    private record KeyGone(int key) implements Command {}

    private record QueuePairGone(int number) implements Command {}

    /**
     * Who the adapter is.
     *
     * @param name of the adapter and of its port
     * @param first where its numbers begin
     */
    record Identity(String name, LocalPort port, Profile profile, Counters counters, FirstNumbers first) {}

    /** Events that wait in one completion channel. */
    private static final int MAX_WAKEUPS = 1 << 16;

    private final ActorContext<Command> context;
    private final Identity identity;
    private final Bus bus;
    private final AdapterTrace trace;
    private final KeySpace keys;
    private final NumberSpace queuePairNumbers;
    private final Map<Integer, ActorRef<TranslatorActor.Command>> translators = new LinkedHashMap<>();
    private final Map<Integer, ActorRef<QueuePairActor.Command>> queuePairActors = new LinkedHashMap<>();
    private final Account account = this::statement;
    private boolean failed;
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
        this.keys = new KeySpace(identity.first.key());
        this.queuePairNumbers = new NumberSpace(
                "queue pairs", FirstNumbers.LEAST_QUEUE_PAIR, FirstNumbers.MOST_QUEUE_PAIR, identity.first.queuePair());
    }

    static Behavior<Command> create(Identity identity, LinkProperties link, Bus bus) {
        return Behaviors.setup(context -> {
            AdapterActor adapter = new AdapterActor(context, identity, bus);
            adapter.plugPort(link);
            adapter.publishPort();
            bus.waiting().books().opened(adapter.account);
            return adapter;
        });
    }

    /**
     * DEVICE_FATAL: every queue pair goes to ERR, and nothing can be created any more. What is open can be closed
     * (rule event-crash).
     */
    @Override
    protected VerbsException crashed(Object message) {
        if (message instanceof AskKey ask) {
            ask.holder.refused(ask.key);
        }
        if (!failed) {
            failed = true;
            queuePairActors.values().forEach(actor -> actor.tell(QueuePairActor.deviceFailed()));
            raise(new AsyncEvent(AsyncEvent.Kind.DEVICE_FATAL, 0), Breakdown.ITS_ACTOR.words());
        }
        return inError();
    }

    private VerbsException inError() {
        return new VerbsException(Errno.EIO, "adapter " + identity.name + " crashed and is in error");
    }

    @Override
    protected Behavior<Command> on(Command command) {
        if (command instanceof Creation verb) {
            create(verb);
        } else {
            carryOut(command);
        }
        return Behaviors.same();
    }

    /** What is refused or has no number left is no crash. */
    private void create(Creation verb) {
        if (failed) {
            verb.reply().fail(inError());
            return;
        }
        try {
            carryOut(verb);
        } catch (VerbsException refused) {
            verb.reply().fail(refused);
        }
    }

    private void carryOut(Command command) {
        switch (command) {
            case CreateCq create -> createCq(create);
            case CreateChannel create -> createChannel(create.reply);
            case CreateQp create -> createQp(create);
            case CreateSrq create -> createSrq(create);
            case Register register -> register(register);
            case Deregister deregister -> deregister(deregister);
            case OpenEvents open -> openEvents(open);
            case CloseEvents close -> {
                eventStreams.remove(close.stream.actor());
                close.stream.actor().tell(new EventQueueActor.Destroy<>(close.reply));
            }
            case Starve starve -> {
                ActorRef<QueuePairActor.Command> starving = queuePairActors.get(starve.queuePair);
                if (starving != null) {
                    starving.tell(QueuePairActor.starve(starve.messages));
                }
            }
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
            case QueuePairGone gone -> {
                queuePairActors.remove(gone.number);
                queuePairNumbers.free(gone.number);
            }
        }
    }

    @Override
    protected Behavior<Command> onSignal(Signal signal) {
        if (signal instanceof PostStop) {
            bus.waiting().books().closed(account);
            return Behaviors.same();
        }
        return Behaviors.unhandled();
    }

    private Statement statement() {
        return new Statement.Adapter(
                identity.name,
                List.copyOf(queuePairActors.keySet()),
                List.copyOf(translators.keySet()),
                queuePairNumbers.inUse(),
                keys.inUse(),
                eventStreams.size());
    }

    private void createCq(CreateCq create) {
        CqDescription wanted = create.wanted;
        CompletionCapabilities can = identity.profile.completions();
        QueuePairFactory.within("entries of a completion queue", wanted.entries(), 1, can.maxEntries());
        QueuePairFactory.within("completion vector", wanted.vector(), 0, can.vectors() - 1);
        int number = ++completionQueues;
        CompletionQueueActor.Setup setup = new CompletionQueueActor.Setup(
                identity.name,
                number,
                wanted,
                create.channel,
                identity.profile,
                trace,
                bus.clock(),
                bus.callers(),
                bus.waiting(),
                bus.callerDispatcher(),
                bus.shard(),
                create.events);
        context.spawn(CompletionQueueActor.create(setup, create.reply), "cq-" + number, bus.shard());
    }

    private void createChannel(Reply<CompletionChannelHandle> reply) {
        int number = ++channels;
        EventQueueActor.Setup<CompletionQueue> setup = new EventQueueActor.Setup<>(
                "completion channel " + number,
                MAX_WAKEUPS,
                true,
                () -> {},
                bus.callers(),
                bus.waiting(),
                bus.callerDispatcher(),
                CompletionQueue[]::new);
        context.spawn(
                EventQueueActor.create(setup, door -> reply.succeed(new CompletionChannelHandle(identity.name, door))),
                "channel-" + number,
                bus.shard());
    }

    private void createQp(CreateQp create) {
        int number = queuePairNumbers.take();
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
                create.type,
                number,
                create.domain,
                receives,
                create.capacity,
                create.options,
                identity.port,
                identity.profile);
        ActorRef<QueuePairActor.Command> actor =
                context.spawn(QueuePairActor.create(plan, around, create.reply), "qp-" + number, bus.shard());
        queuePairActors.put(number, actor);
        context.watchWith(actor, new QueuePairGone(number));
    }

    private void createSrq(CreateSrq create) {
        int number = ++sharedReceives;
        SharedReceiveActor.Setup setup = new SharedReceiveActor.Setup(
                identity.name,
                number,
                create.domain,
                create.capacity,
                identity.profile.sharedReceives().maxWr(),
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
                bus.waiting(),
                bus.callerDispatcher(),
                AsyncEvent[]::new);
        eventStreams.add(
                context.spawn(EventQueueActor.create(setup, open.reply::succeed), "events-" + ++contexts, bus.shard()));
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
        Region region = new Region(
                key, register.domain, register.address, register.lengthBytes, register.rights, register.memory);
        translators.put(
                key,
                context.spawn(
                        TranslatorActor.create(
                                identity.name, region, bus.waiting().books()),
                        "mr-%08x".formatted(key),
                        bus.shard()));
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
            self.tell(new KeyGone(deregister.key));
            if (trace.enabled()) {
                trace.record(0, at -> new HcaEvent.KeyTakenAway(at, identity.name, deregister.key));
            }
        };
        translator.tell(new TranslatorActor.Deregister(gone, deregister.reply));
    }
}
