package org.hcaactors.adapter.device;

import java.util.LinkedHashMap;
import java.util.Map;
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
import org.hcaactors.adapter.queue.QueuePairActor;
import org.hcaactors.adapter.queue.RcPlan;
import org.hcaactors.adapter.queue.Surroundings;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.RcCapacity;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.fabric.link.FabricActor;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.packet.PortAddress;

/** The actor of one adapter: makes its objects, numbers them, and knows which translator is behind each key. */
final class AdapterActor {
    /** What an adapter understands. */
    sealed interface Command {}

    record CreateCq(int entries, Consumer<AsyncEvent> events, Reply<CompletionQueue> reply) implements Command {}

    record CreateRc(
            int domain,
            RcCapacity capacity,
            boolean signalAll,
            CompletionQueueHandle sendCq,
            CompletionQueueHandle recvCq,
            AddressSpace space,
            Consumer<AsyncEvent> events,
            Reply<RcQueuePair> reply)
            implements Command {}

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
    record Identity(String name, PortAddress address, Profile profile, Counters counters) {}

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
    private int eventStreams;

    private AdapterActor(ActorContext<Command> context, Identity identity, Bus bus) {
        this.context = context;
        this.identity = identity;
        this.bus = bus;
        this.trace = new AdapterTrace(bus.trace(), bus.clock(), identity.name);
    }

    static Behavior<Command> create(Identity identity, LinkProperties link, Bus bus) {
        return Behaviors.setup(context -> {
            bus.fabric().tell(new FabricActor.PlugPort(identity.name, identity.address, link));
            AdapterActor adapter = new AdapterActor(context, identity, bus);
            return Behaviors.receiveMessage(adapter::on);
        });
    }

    private Behavior<Command> on(Command command) {
        switch (command) {
            case CreateCq create -> createCq(create);
            case CreateRc create -> createRc(create);
            case Register register -> register(register);
            case Deregister deregister -> deregister(deregister);
            case OpenEvents open ->
                open.reply.succeed(context.spawn(
                        EventStreamActor.create(bus.callers(), bus.callerDispatcher()),
                        "events-" + ++eventStreams,
                        bus.shard()));
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

    private void createRc(CreateRc create) {
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
                create.events,
                identity.counters,
                trace,
                bus.clock(),
                bus.callers(),
                create.space);
        RcPlan plan = new RcPlan(
                number, create.domain, create.capacity, create.signalAll, identity.address, identity.profile);
        context.spawn(QueuePairActor.create(plan, around, create.reply), "qp-" + number, bus.shard());
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
