// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
import org.hcaactors.actors.device.AdapterHandle;
import org.hcaactors.actors.event.EventQueueActor;
import org.hcaactors.actors.service.NetworkServices;
import org.hcaactors.actors.service.Shards;
import org.hcaactors.actors.stage.Callers;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.adapter.audit.ResourceAudit;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.number.FirstNumbers;
import org.hcaactors.adapter.stage.StageWaiting;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.AwaitTimeoutException;
import org.hcaactors.api.handle.LeakReport;
import org.hcaactors.fabric.actor.FabricActor;
import org.hcaactors.fabric.actor.FabricReference;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.link.Epoch;
import org.hcaactors.fabric.link.Interceptor;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.link.Tap;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * A fabric and the adapters plugged into it: where everything starts.
 *
 * <p>{@link #start} makes an actor system of its own and ends it on {@link #close}; {@link #on} lives in yours. A closed
 * one refuses everything with an IllegalStateException that says so.
 *
 * <p>Threads: any. Limits: 65,000 adapters, and at most one network in an actor system that is yours.
 */
public final class RdmaNetwork implements AutoCloseable {
    /** How long {@link #await(CompletionStage)} waits. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

    private static final int MAX_ADAPTERS = 65_000;

    private final ActorSystem<?> system;
    private final boolean ownsSystem;
    private final Environment environment;
    private final ActorRef<NetworkActor.Command> guardian;
    private final NetworkServices services;
    private final Deadlines deadlines;
    private final AtomicInteger watches = new AtomicInteger();
    private final Map<String, Adapter> adapters = new LinkedHashMap<>();
    private @Nullable Closing closing;

    /** Who closes it, and when that is done. */
    private record Closing(Thread by, CompletableFuture<Void> end) {}

    /** Who waits for the adapters' verbs. */
    private final class Caller implements StageWaiting {
        @Override
        public void until(CompletionStage<Void> stage) {
            await(stage);
        }

        @Override
        public CompletableFuture<Void> after(Duration time, Executor where) {
            return deadlines.after(time, where);
        }

        @Override
        public ResourceAudit audit() {
            return environment.audit();
        }
    }

    private RdmaNetwork(ActorSystem<?> system, boolean ownsSystem, Environment environment) {
        this.system = system;
        this.ownsSystem = ownsSystem;
        this.environment = environment;
        Shards shards = ShardDispatchers.of(system, environment.shards());
        DispatcherSelector callers = DispatcherSelector.fromConfig("hca.caller-dispatcher");
        guardian = system.systemActorOf(NetworkActor.create(shards.first()), "hca-network", Props.empty());
        Epoch epoch = new Epoch();
        ActorRef<FabricActor.Command> fabric = spawn(
                FabricActor.create(
                        environment.limits(),
                        environment.trace(),
                        environment.clock(),
                        environment.complaints(),
                        epoch,
                        this::openFabric),
                "fabric");
        services = new NetworkServices(
                new FabricReference(fabric, epoch),
                environment.clock(),
                environment.trace(),
                new Callers(system.dispatchers().lookup(callers), new Caller(), callers),
                shards,
                environment.receives(),
                environment.verbs(),
                environment.limits().maxPacketLifetime().toNanos(),
                environment.verbsTakeTime());
        deadlines = new Deadlines(system.scheduler(), services.callers());
    }

    private void openFabric(Supplier<Map<String, Integer>> endpoints) {
        environment.audit().opened(() -> new ResourceSnapshot.Fabric(endpoints.get()));
    }

    /** A network with an actor system of its own. IllegalStateException if the Pekko on the class path is older than 1.1. */
    public static RdmaNetwork start() {
        return start(Environment.production());
    }

    public static RdmaNetwork start(Environment environment) {
        return new RdmaNetwork(OwnedActorSystem.create(), true, environment);
    }

    /**
     * A network in an actor system that is yours; at most one. Protocol timers are as fine as its scheduler's tick.
     * IllegalStateException if its Pekko is older than 1.1.
     */
    public static RdmaNetwork on(ActorSystem<?> system) {
        return on(system, Environment.production());
    }

    public static RdmaNetwork on(ActorSystem<?> system, Environment environment) {
        PekkoVersion.check();
        return new RdmaNetwork(system, false, environment);
    }

    /**
     * How many threads its adapters' objects live on. Queue pairs of different shards work at a time; {@link
     * org.hcaactors.api.queue.RcPair#connect} puts both ends of a connection on one, and the next on the next.
     */
    public int shards() {
        return services.shards().count();
    }

    /** Plugs in an adapter by an ideal cable. IllegalArgumentException if the name is taken. */
    public Adapter addAdapter(String name, Profile profile) {
        return addAdapter(name, profile, LinkProperties.IDEAL);
    }

    /**
     * Plugs in an adapter; its port is at 10.0.0.0 plus its number. IllegalArgumentException if there is one of that name already, or
     * too many, or the name is not 1 to 64 letters, digits and {@code . _ : @ + -}, beginning with a letter or a digit.
     */
    public Adapter addAdapter(String name, Profile profile, LinkProperties link) {
        return addAdapter(name, profile, link, environment.machines().apply(name));
    }

    /** The same into a machine like that one, which is its own. */
    public synchronized Adapter addAdapter(String name, Profile profile, LinkProperties link, HostMachine machine) {
        checkNotClosing();
        AdapterHandle.checkName(name);
        if (adapters.containsKey(name) || adapters.size() == MAX_ADAPTERS) {
            throw new IllegalArgumentException(
                    "adapter " + name + " exists already, or there are " + MAX_ADAPTERS + " of them");
        }
        int host = adapters.size() + 1;
        Gid gid = Gid.ofIpv4(10, 0, host >> 8, host & 255);
        FirstNumbers first = environment.numbers().apply(name);
        AdapterHandle.Seat slot = new AdapterHandle.Seat(machine, environment.variables(), environment.firmware());
        NetworkServices its = environment
                .callers()
                .map(callers -> services.with(services.callers().on(callers.apply(name))))
                .orElse(services);
        Adapter adapter = new AdapterHandle(name, profile, gid, link, first, slot, its, this::spawn);
        adapters.put(name, adapter);
        return adapter;
    }

    public synchronized Optional<Adapter> adapter(String name) {
        return Optional.ofNullable(adapters.get(name));
    }

    /** Every adapter, in the order of plugging in. */
    public synchronized List<Adapter> adapters() {
        return List.copyOf(adapters.values());
    }

    /** Pulls an adapter's cable: PORT_ERR is raised, and from then on what is sent or arrives there is lost. */
    public void unplug(Adapter adapter) {
        own(adapter).plugged(false);
    }

    /** Plugs the cable in again; PORT_ACTIVE is raised. */
    public void plug(Adapter adapter) {
        own(adapter).plugged(true);
    }

    /** Kills every process of the machine behind an adapter, as {@code HostProcess.kill} does; what they left open is closed in order. */
    public CompletionStage<Void> endProcesses(Adapter adapter) {
        return own(adapter).host().killProcesses();
    }

    /** The names of the processes of an adapter's machine, in their order. */
    public List<String> processes(Adapter adapter) {
        return own(adapter).host().processNames();
    }

    /**
     * Gives an adapter another cable: what is under way arrives by the old one's times. The port's active MTU follows the
     * cable's; a connection keeps its path MTU, and its packets are lost where they are longer than the cable allows.
     */
    public void setLink(Adapter adapter, LinkProperties link) {
        own(adapter).setLink(link);
    }

    /**
     * Replaces an adapter's GID table, as its host's administrator does by IP addresses; GID_CHANGE is raised. An address that
     * several adapters have reaches the first of them that had it.
     *
     * <p>Queue pairs and address handles go on with the index that they were given: what they send comes from the entry's
     * address as it is now, which a connected peer takes for a stranger's, and is lost if the entry went. What is sent to an
     * address that went is lost. RC requests then end RETRY_EXC_ERR; UC and UD senders learn nothing.
     */
    public void setGidTable(Adapter adapter, List<Gid> gids) {
        own(adapter).setGidTable(gids);
    }

    /** Replaces an adapter's P_Key table, as a subnet manager does; PKEY_CHANGE is raised. */
    public void setPkeyTable(Adapter adapter, List<Integer> pkeys) {
        own(adapter).setPkeyTable(pkeys);
    }

    /** What an adapter's host does with threads that completion queues wake. */
    public HostThreads threadsOf(Adapter adapter) {
        return new HostThreads(own(adapter));
    }

    /** From now on no free block of an adapter's host has more bytes than 2 to the power of {@code order}, 12 to 23. */
    public void fragmentMemory(Adapter adapter, int order) {
        own(adapter).host().fragmentMemory(order);
    }

    private synchronized AdapterHandle own(Adapter adapter) {
        checkNotClosed();
        if (adapters.get(adapter.name()) instanceof AdapterHandle handle && handle == adapter) {
            return handle;
        }
        throw new IllegalArgumentException(adapter + " is not on this network");
    }

    /** Every packet passes this judge from now on; {@link Interceptor#NONE} takes it away. */
    public void intercept(Interceptor interceptor) {
        checkNotClosed();
        services.fabric()
                .tell(new FabricActor.Intercept(
                        GuardedInterceptor.of(interceptor, services.callers().calls())));
    }

    /** Shows every event of the fabric from now on. */
    public void tap(Tap tap) {
        checkNotClosed();
        services.fabric()
                .tell(new FabricActor.AddTap(
                        new GuardedTap(tap, services.callers().calls())));
    }

    public void untap(Tap tap) {
        services.fabric()
                .tell(new FabricActor.RemoveTap(
                        new GuardedTap(tap, services.callers().calls())));
    }

    /** Watches the fabric from now on, without stalling it; at most {@code backlog} events, at least 1, wait to be asked for. */
    public synchronized FabricWatch watch(int backlog) {
        AtomicLong dropped = new AtomicLong();
        EventQueueActor.Plan<FabricEvent> plan = FabricWatch.plan(backlog, dropped, services.callers());
        checkNotClosing();
        CompletableFuture<CommandSender<EventQueueActor.Command<FabricEvent>>> create = new CompletableFuture<>();
        ActorRef<EventQueueActor.Command<FabricEvent>> actor =
                spawn(EventQueueActor.create(plan, create::complete), "watch-" + watches.incrementAndGet());
        Tap tap = event -> actor.tell(new EventQueueActor.Raised<>(event));
        tap(tap);
        return new FabricWatch(await(create), dropped, () -> untap(tap));
    }

    /**
     * Waits for a verb; its refusal is thrown as it is. At most {@link #DEFAULT_TIMEOUT}.
     *
     * @throws AwaitTimeoutException if it is not done by then; it goes on
     */
    public <T> T await(CompletionStage<T> stage) {
        return await(stage, DEFAULT_TIMEOUT);
    }

    /**
     * Waits for a verb; its refusal is thrown as it is. On the bench this lets virtual time pass.
     *
     * @throws AwaitTimeoutException if it is not done in time; it goes on
     */
    public <T> T await(CompletionStage<T> stage, Duration atMost) {
        return environment.awaiter().await(stage, atMost, () -> TimeoutReply.by(ours()));
    }

    /**
     * Done when that much time has passed on the clock that this network has: virtual time on the bench, where timers of the JDK's
     * ({@code CompletableFuture.orTimeout}, {@code delayedExecutor}) count real time. As fine as the scheduler's tick: 1 ms, if the network
     * has its own actor system. It is done where stages of verbs are, as code of no host: a fault that pauses a host does not hold it. Closing the network cancels it; so does who got it, with {@code
     * toCompletableFuture().cancel(false)}, when it is needed no more.
     *
     * <p>{@code CompletableFuture.anyOf(done.toCompletableFuture(), network.after(Duration.ofMillis(5)).toCompletableFuture())} is a
     * deadline for a request. The request goes on after it, and its buffer is the adapter's until it completes.
     *
     * @param time from nothing to 24 days
     * @throws IllegalArgumentException for another time
     * @throws IllegalStateException if the network is closed, or a million of them are waited for
     */
    public CompletionStage<Void> after(Duration time) {
        return deadlines.after(time);
    }

    /** What the processes of every adapter created and did not close. */
    public synchronized LeakReport leaks() {
        return new LeakReport(handles()
                .flatMap(adapter -> adapter.host().leaks().leaks().stream())
                .toList());
    }

    private Stream<AdapterHandle> handles() {
        return List.copyOf(adapters.values()).stream()
                .filter(AdapterHandle.class::isInstance)
                .map(AdapterHandle.class::cast);
    }

    /**
     * Ends every process, which closes what it left open and flushes what is outstanding, and then every adapter and the
     * fabric. Verbs that still wait fail. It lasts as long as something closes: only after {@link #DEFAULT_TIMEOUT} in which
     * nothing did, what is left of a process is cut off. Closing again returns when it is closed; any thread may.
     *
     * @throws IllegalStateException in a call of this network's subscriber, reader, tap or interceptor, and in an
     *     action on the stage of {@link org.hcaactors.api.completion.CompletionChannel#next}: closing waits for that call to return, so nothing is closed.
     *     Complete a future there, and close where that is waited for
     */
    @Override
    public void close() {
        services.callers().calls().checkNone("close() of a network");
        Closing mine = new Closing(Thread.currentThread(), new CompletableFuture<>());
        Closing first = firstOf(mine);
        if (first == mine) {
            try {
                end();
            } finally {
                mine.end.complete(null);
            }
        } else if (first.by != mine.by) {
            first.end.join();
        }
    }

    @MutationPoint("rdma-network.first-of")
    private synchronized Closing firstOf(Closing mine) {
        if (closing == null) {
            closing = mine;
        }
        return closing;
    }

    private void end() {
        CompletableFuture<?> terminated = system.getWhenTerminated().toCompletableFuture();
        deadlines.close();
        List<AdapterHandle> all = ours();
        try {
            if (!terminated.isDone()) {
                all.forEach(adapter -> ProcessShutdown.of(adapter, this::await));
                CompletableFuture<Boolean> stopped = new CompletableFuture<>();
                guardian.tell(new NetworkActor.Stop(stopped));
                await(CompletableFuture.anyOf(stopped, terminated));
            }
        } finally {
            all.forEach(AdapterHandle::shut);
            if (ownsSystem) {
                system.terminate();
            }
        }
        if (ownsSystem) {
            await(terminated);
        }
    }

    private synchronized List<AdapterHandle> ours() {
        return handles().toList();
    }

    /** Nothing comes to a network that closes. */
    private synchronized void checkNotClosing() {
        if (closing != null) {
            throw closed();
        }
    }

    /** What is there can be changed until it is closed. */
    private synchronized void checkNotClosed() {
        if (closing != null && closing.end.isDone()) {
            throw closed();
        }
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("this network is closed");
    }

    private <M> ActorRef<M> spawn(Behavior<M> behavior, String name) {
        CompletableFuture<ActorRef<M>> spawned = new CompletableFuture<>();
        guardian.tell(new NetworkActor.Spawn<>(behavior, name, spawned));
        return await(spawned);
    }

    @Override
    public synchronized String toString() {
        return "network of " + (adapters.isEmpty() ? "no adapter" : String.join(", ", adapters.keySet()));
    }
}
