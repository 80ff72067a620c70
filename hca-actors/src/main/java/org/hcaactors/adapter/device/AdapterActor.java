package org.hcaactors.adapter.device;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.adapter.completion.CompletionQueueActor;
import org.hcaactors.adapter.completion.CompletionQueueHandle;
import org.hcaactors.adapter.counter.Counters;
import org.hcaactors.adapter.flow.AdapterTrace;
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
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.QpBuilder;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqCapacity;
import org.hcaactors.fabric.link.FabricActor;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.TransportClass;

/** The actor of one adapter: makes its objects, numbers them, and knows which translator is behind each key. */
final class AdapterActor {
    /** What an adapter understands. */
    sealed interface Command {}

    record CreateCq(int entries, Consumer<AsyncEvent> events, Reply<CompletionQueue> reply) implements Command {}

    record CreateQp(
            TransportClass transport,
            int domain,
            QpCapacity capacity,
            QpBuilder.Options options,
            CompletionQueueHandle sendCq,
            CompletionQueueHandle recvCq,
            Optional<SharedReceiveHandle> srq,
            AddressSpace space,
            Consumer<AsyncEvent> events,
            Reply<WorkQueues> reply)
            implements Command {}

    record CreateSrq(int domain, SrqCapacity capacity, Consumer<AsyncEvent> events, Reply<SharedReceiveQueue> reply)
            implements Command {}

    /** Something happened to the port that every context is told. */
    record PortChanged(AsyncEvent.Kind kind) implements Command {}

    record Register(
            int domain, HostBuffers memory, long address, long lengthBytes, AccessFlags rights, Reply<Integer> reply)
            implements Command {}

    record Deregister(int key, Reply<Void> reply) implements Command {}

    record OpenEvents(Reply<ActorRef<EventStreamActor.Command>> reply) implements Command {}

    /** A queue pair wants to use a key. */
    private record AskKey(int key, LeaseHolder holder) implements Command {}

    private record KeyGone(int key) implements Command {}

    /**
     * Who the adapter is.
     *
     * @param name of the adapter and of its port
     */
    record Identity(String name, LocalPort port, Profile profile, Counters counters) {}

    private static final int FIRST_QP = 0x11;
    private static final int MAX_QP = 0xFF_FFFE;

    private final ActorContext<Command> context;
    private final Identity identity;
    private final Bus bus;
    private final AdapterTrace trace;
    private final KeySpace keys = new KeySpace();
    private final Map<Integer, ActorRef<TranslatorActor.Command>> translators = new LinkedHashMap<>();
    private int queuePairs;
    private int completionQueues;
    private int sharedReceives;
    private final List<ActorRef<EventStreamActor.Command>> eventStreams = new ArrayList<>();

    private AdapterActor(ActorContext<Command> context, Identity identity, Bus bus) {
        this.context = context;
        this.identity = identity;
        this.bus = bus;
        this.trace = new AdapterTrace(bus.trace(), bus.clock(), identity.name);
    }

    static Behavior<Command> create(Identity identity, LinkProperties link, Bus bus) {
        return Behaviors.setup(context -> {
            bus.fabric().tell(new FabricActor.PlugPort(identity.name, identity.port.address(), link));
            AdapterActor adapter = new AdapterActor(context, identity, bus);
            adapter.publishPort();
            return Behaviors.receiveMessage(adapter::on);
        });
    }

    private Behavior<Command> on(Command command) {
        switch (command) {
            case CreateCq create -> createCq(create);
            case CreateQp create -> createQp(create);
            case CreateSrq create -> createSrq(create);
            case Register register -> register(register);
            case Deregister deregister -> deregister(deregister);
            case OpenEvents open -> openEvents(open);
            case PortChanged changed -> portChanged(changed.kind);
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
        return Behaviors.same();
    }

    private void createCq(CreateCq create) {
        int most = identity.profile.limits().maxCqe();
        if (create.entries < 1 || create.entries > most) {
            create.reply.fail(VerbsException.invalid(
                    "a completion queue of " + create.entries + " entries; 1 to " + most + " is allowed"));
            return;
        }
        int number = ++completionQueues;
        int capacity = Math.min(most, Integer.highestOneBit(create.entries) * 2 - 1);
        ActorRef<CompletionQueueActor.Command> actor = context.spawn(
                CompletionQueueActor.create(new CompletionQueueActor.Setup(
                        number, capacity, bus.callers(), bus.callerDispatcher(), bus.shard(), create.events)),
                "cq-" + number,
                bus.shard());
        create.reply.succeed(new CompletionQueueHandle(identity.name, number, capacity, actor, bus.callers()));
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
        context.spawn(QueuePairActor.create(plan, around, create.reply), "qp-" + number, bus.shard());
    }

    private void createSrq(CreateSrq create) {
        int number = ++sharedReceives;
        SharedReceiveActor.Setup setup = new SharedReceiveActor.Setup(
                identity.name,
                number,
                create.domain,
                create.capacity,
                identity.profile.limits().maxSrqWr(),
                bus.callers(),
                create.events);
        context.spawn(SharedReceiveActor.create(setup, create.reply), "srq-" + number, bus.shard());
    }

    private void openEvents(OpenEvents open) {
        ActorRef<EventStreamActor.Command> stream = context.spawn(
                EventStreamActor.create(bus.callers(), bus.callerDispatcher()),
                "events-" + (eventStreams.size() + 1),
                bus.shard());
        eventStreams.add(stream);
        open.reply.succeed(stream);
    }

    private void publishPort() {
        PortAttributes now = identity.port.attributes();
        List<PortAddress> all =
                now.gidTable().stream().map(LocalPort::addressOf).toList();
        bus.fabric().tell(new FabricActor.Addresses(identity.port.address(), all));
        bus.fabric().tell(new FabricActor.Plugged(identity.port.address(), now.active()));
    }

    private void portChanged(AsyncEvent.Kind kind) {
        publishPort();
        AsyncEvent event = new AsyncEvent(kind, 1);
        if (trace.enabled()) {
            trace.record(0, at -> new HcaEvent.Raised(at, trace.port(), event));
        }
        eventStreams.forEach(stream -> stream.tell(new EventStreamActor.Raised(event)));
    }

    private void register(Register register) {
        int key = keys.allocate();
        TranslatorActor.Region region = new TranslatorActor.Region(
                key, register.domain, register.address, register.lengthBytes, register.rights, register.memory);
        translators.put(key, context.spawn(TranslatorActor.create(region), "mr-%08x".formatted(key), bus.shard()));
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
