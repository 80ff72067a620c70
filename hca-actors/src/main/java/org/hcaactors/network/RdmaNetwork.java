// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.number.FirstNumbers;
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
import org.hcaactors.fabric.recording.RecordedPeer;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * A fabric and the adapters plugged into it: the entry point of the library.
 *
 * <p>{@link #start} creates an actor system and terminates it on {@link #close}; {@link #on} uses an existing one. All methods
 * of a closed network throw an IllegalStateException.
 *
 * <p>Threads: any. Limits: 65,000 adapters, and at most one network in an existing actor system.
 */
public final class RdmaNetwork implements AutoCloseable {
    /** Timeout of {@link #await(CompletionStage)}. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

    private final ActorSystem<?> system;
    private final boolean ownsSystem;
    private final Environment environment;
    private final ActorRef<NetworkActor.Command> guardian;
    private final NetworkServices services;
    private final Deadlines deadlines;
    private final DrivenShards driven;
    private final PollingThreads polling;
    private final NetworkUplink uplink;
    private final AtomicInteger watches = new AtomicInteger();
    private final PluggedAdapters adapters = new PluggedAdapters();
    private @Nullable Closing closing;

    /** The thread that closes the network, and the end of closing. */
    private record Closing(Thread by, CompletableFuture<Void> end) {}

    private RdmaNetwork(ActorSystem<?> system, boolean ownsSystem, Environment environment, NetworkUplink uplink) {
        this.uplink = uplink;
        this.system = system;
        this.ownsSystem = ownsSystem;
        this.environment = environment;
        Shards shards = ShardDispatchers.of(system, environment.shards());
        driven = new DrivenShards(shards, system.dispatchers(), environment.awaiter());
        polling = new PollingThreads(driven.tasks(), uplink, environment.awaiter());
        DispatcherSelector callers = DispatcherSelector.fromConfig("hca.caller-dispatcher");
        guardian = system.systemActorOf(NetworkActor.create(shards.first()), "hca-network", Props.empty());
        Epoch epoch = new Epoch();
        ActorRef<FabricActor.Command> fabric = spawn(
                FabricActor.create(
                        environment.limits(),
                        environment.trace(),
                        environment.clock(),
                        environment.exceptionHandler(),
                        epoch,
                        this::openFabric),
                "fabric");
        services = new NetworkServices(
                new FabricReference(fabric, epoch),
                environment.clock(),
                environment.trace(),
                new Callers(
                        // Code of no host: deadlines, and observers of the fabric.
                        environment
                                .callers()
                                .map(programs -> programs.apply(""))
                                .orElseGet(() -> system.dispatchers().lookup(callers)),
                        new ProgramWaits(this, environment, this::deadlines),
                        callers),
                shards,
                environment.receives(),
                environment.verbs(),
                environment.limits().maxPacketLifetime().toNanos(),
                environment.verbsTakeTime(),
                this::resolve,
                uplink.isPresent());
        deadlines = new Deadlines(system.scheduler(), services.callers());
        uplink.ifPresent(up ->
                spawn(up.behavior(services.fabric(), environment.clock(), driven.assistance()), "_" + up.portName()));
    }

    private Deadlines deadlines() {
        return deadlines;
    }

    /** Names of adapters come first. */
    private Optional<InetAddress> resolve(String name) {
        return locate(name).map(Gid::toInetAddress).or(() -> environment.names().apply(name));
    }

    private void openFabric(Supplier<Map<String, Integer>> endpoints) {
        environment.audit().opened(() -> new ResourceSnapshot.Fabric(endpoints.get()));
    }

    /**
     * Starts a network with its own actor system.
     *
     * @throws IllegalStateException if the Pekko on the class path is older than 1.1
     */
    public static RdmaNetwork start() {
        return start(Environment.production());
    }

    /**
     * Starts a network with its own actor system.
     *
     * @throws IllegalStateException if the Pekko on the class path is older than 1.1
     * @throws org.hcaactors.fabric.cable.CableException if the environment's cable cannot be used
     */
    public static RdmaNetwork start(Environment environment) {
        return NetworkUplink.open(environment)
                .orClose(uplink -> new RdmaNetwork(OwnedActorSystem.create(), true, environment, uplink));
    }

    /**
     * Starts a network in an existing actor system; at most one. The resolution of protocol timers is the tick of its
     * scheduler.
     *
     * @throws IllegalStateException if its Pekko is older than 1.1
     */
    public static RdmaNetwork on(ActorSystem<?> system) {
        return on(system, Environment.production());
    }

    /**
     * Starts a network in an existing actor system.
     *
     * @throws IllegalStateException if its Pekko is older than 1.1
     * @throws org.hcaactors.fabric.cable.CableException if the environment's cable cannot be used, or if it is a world's
     */
    public static RdmaNetwork on(ActorSystem<?> system, Environment environment) {
        PekkoVersion.check();
        return NetworkUplink.open(environment).orClose(uplink -> new RdmaNetwork(system, false, environment, uplink));
    }

    /**
     * Returns the number of shards: threads on which the adapters' objects live. Queue pairs of different shards work
     * concurrently; {@link org.hcaactors.api.queue.QpPair#connectRc} puts both ends of a connection on one shard, and the next
     * connection on the next shard.
     */
    public int shards() {
        return services.shards().count();
    }

    /**
     * Lets the program run a shard on its own thread, without wakeups.
     *
     * @see #drive(int, Runnable)
     */
    public ShardDriver drive(int shard) {
        checkNotClosed();
        return driven.drive(shard, Optional.empty());
    }

    /**
     * Lets the program run a shard on its own threads until the driver is closed. Shard 0 also has everything without a
     * placement; a network of one shard ({@link Environment#withShards}) has nothing else.
     *
     * @param shard 0 to {@link #shards} - 1
     * @param wakeup called after {@link ShardDriver#requestWakeup} by the first task that becomes ready, on the thread that
     *     makes it ready; must not block; what it throws is logged
     * @throws IllegalArgumentException if there is no such shard
     * @throws IllegalStateException if the shard has an open driver whose thread lives, in a handler of the shard, if the network
     *     is closed or the actor system's configuration gives the shard another type of dispatcher, or in a testkit world, whose
     *     tasks need no wakeup
     */
    public ShardDriver drive(int shard, Runnable wakeup) {
        checkNotClosed();
        return driven.drive(shard, Optional.of(wakeup));
    }

    /**
     * Reads a cable's sockets and runs the shards on the calling thread, as far as no other thread does: for a thread that polls again and again, after a
     * poll in vain. While it is called every 500 us, no thread of the network is woken; without it they continue after that time. It may call
     * readers and subscribers with {@code Delivery.ADAPTER_THREAD}. In a testkit world it runs the next task.
     *
     * <p>Threads: any, several at a time. Limits: 256 datagrams of each socket and 64 tasks of each shard; it waits for nothing.
     *
     * @return number of datagrams and tasks
     * @throws java.io.UncheckedIOException if a socket fails
     */
    public int progress() {
        return polling.progress();
    }

    /** Lets the network's own threads continue at once: the thread that called {@link #progress} sleeps now. {@link #await} does so itself. */
    public void endProgress() {
        polling.end();
    }

    /**
     * Plugs in an adapter over an ideal link.
     *
     * @throws IllegalArgumentException if the name is taken
     */
    public Adapter addAdapter(String name, Profile profile) {
        return addAdapter(name, profile, LinkProperties.IDEAL);
    }

    /**
     * Plugs in an adapter; the address of its port is 10.0.0.0 plus its number, or the next one of the cable.
     *
     * @throws IllegalArgumentException if the name is taken, there are too many adapters, or the name is not 1 to 64 letters,
     *     digits and {@code . _ : @ + -}, beginning with a letter or a digit
     */
    public Adapter addAdapter(String name, Profile profile, LinkProperties link) {
        return addAdapter(name, profile, link, environment.machines().apply(name));
    }

    /** Plugs in an adapter in a host machine of its own with the given properties. */
    public synchronized Adapter addAdapter(String name, Profile profile, LinkProperties link, HostMachine machine) {
        checkNotClosing();
        int host = adapters.numberFor(name);
        List<Gid> gids = uplink.addressesOf(name, host);
        FirstNumbers first = environment.numbers().apply(name);
        AdapterHandle.HostEnvironment hostEnvironment =
                new AdapterHandle.HostEnvironment(machine, environment.variables(), environment.firmware());
        NetworkServices its = environment
                .callers()
                .map(callers -> services.with(services.callers().on(callers.apply(name))))
                .orElse(services);
        Adapter adapter =
                new AdapterHandle(name, profile, gids, uplink.bounded(link), first, hostEnvironment, its, this::spawn);
        adapters.add(host, adapter);
        uplink.plug(host, adapter);
        return adapter;
    }

    /**
     * Returns the counters of the cable or other uplink by name ({@link org.hcaactors.fabric.cable.CableCounter#text}); empty without
     * one.
     */
    public SortedMap<String, Long> cableCounters() {
        return uplink.counters();
    }

    /**
     * Returns the peer of a recorded cable.
     *
     * @throws IllegalStateException if the network has none
     */
    public RecordedPeer recordedPeer() {
        return uplink.recordedPeer();
    }

    public synchronized Optional<Adapter> adapter(String name) {
        return adapters.find(name);
    }

    /**
     * Returns the address of an adapter of this network, or of one that its uplink reaches. That of another node of a cluster is
     * known soon after it was plugged in.
     */
    public Optional<Gid> locate(String name) {
        return adapter(name).map(Adapter::gid).or(() -> uplink.locate(name));
    }

    /** Returns all adapters in the order of plugging in. */
    public synchronized List<Adapter> adapters() {
        return adapters.all();
    }

    /**
     * Removes an adapter that has no queue pair: it refuses new ones, its processes exit, which closes their other objects, and
     * its addresses are given up. When the stage completes, its name is free, and another adapter may have it. Addresses are given
     * to other adapters as late as possible: after 65,000 adapters at the earliest.
     *
     * <p>The stage fails with EBUSY and has no effect while the adapter has queue pairs, which are also DC initiators, DC targets and
     * XRC targets. Later a verb of the adapter fails with EIO, EINVAL or ECANCELED.
     *
     * @throws IllegalArgumentException if the adapter is not on this network
     */
    public CompletionStage<Void> removeAdapter(Adapter adapter) {
        AdapterHandle handle = require(adapter);
        return handle.remove()
                .thenCompose(actor -> {
                    CompletableFuture<Void> stopped = new CompletableFuture<>();
                    guardian.tell(new NetworkActor.StopChild(actor, stopped));
                    return stopped;
                })
                .thenRun(() -> forget(handle));
    }

    private synchronized void forget(AdapterHandle handle) {
        if (adapters.has(handle)) {
            handle.removed();
            uplink.unplug(adapters.numberOf(handle), handle);
            adapters.remove(handle);
        }
    }

    /** Takes an adapter's link down: PORT_ERR is raised, and packets that leave or arrive there are lost. */
    public void unplug(Adapter adapter) {
        require(adapter).plugged(false);
    }

    /** Takes the link up again; PORT_ACTIVE is raised. */
    public void plug(Adapter adapter) {
        require(adapter).plugged(true);
    }

    /**
     * Ends an adapter's host as a loss of power does: communication management forgets its connections, of which their peers learn
     * nothing, and every process is killed, as {@code HostProcess.kill} does. Packets may still leave unless the adapter was
     * {@linkplain #unplug unplugged} before.
     */
    public CompletionStage<Void> losePower(Adapter adapter) {
        return require(adapter).losePower();
    }

    /** Returns the names of the processes on an adapter's host, sorted. */
    public List<String> processes(Adapter adapter) {
        return require(adapter).host().processNames();
    }

    /**
     * Replaces the link of an adapter; packets in flight arrive by the times of the old one. The port's active MTU follows the
     * new link; a connection keeps its path MTU, and its packets are lost if they are longer than the link allows.
     */
    public void setLink(Adapter adapter, LinkProperties link) {
        require(adapter).setLink(uplink.bounded(link));
    }

    /**
     * Replaces an adapter's GID table, as the administrator of its host does by changing IP addresses; GID_CHANGE is raised. An
     * address that several adapters have belongs to the first of them that had it.
     *
     * <p>Queue pairs and address handles keep their index: their packets leave with the address that the entry has now. A
     * connected peer drops packets from an unexpected address, and packets are lost if the entry was removed. Packets to a
     * removed address are lost. RC requests then complete with RETRY_EXC_ERR; UC and UD senders receive no error.
     */
    public void setGidTable(Adapter adapter, List<Gid> gids) {
        require(adapter).setGidTable(gids);
        uplink.plug(numberOf(adapter), adapter);
    }

    private synchronized int numberOf(Adapter adapter) {
        return adapters.numberOf(adapter);
    }

    /** Replaces an adapter's P_Key table, as a subnet manager does; PKEY_CHANGE is raised. */
    public void setPkeyTable(Adapter adapter, List<Integer> pkeys) {
        require(adapter).setPkeyTable(pkeys);
    }

    /** Returns the threads of an adapter's host that completion queues wake. */
    public HostThreads threadsOf(Adapter adapter) {
        return new HostThreads(require(adapter));
    }

    /**
     * Fragments the memory of an adapter's host: from now on no free block has more than 2 to the power of {@code order} bytes,
     * 12 to 23.
     */
    public void fragmentMemory(Adapter adapter, int order) {
        require(adapter).host().fragmentMemory(order);
    }

    private synchronized AdapterHandle require(Adapter adapter) {
        checkNotClosed();
        return adapters.handle(adapter);
    }

    /** Sets the interceptor that judges every packet from now on; {@link Interceptor#NONE} removes it. */
    public void intercept(Interceptor interceptor) {
        checkNotClosed();
        services.fabric()
                .tell(new FabricActor.Intercept(
                        GuardedInterceptor.of(interceptor, services.callers().calls())));
    }

    /** Adds an observer of every event of the fabric from now on. */
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

    /**
     * Returns a stream of the fabric's events from now on that does not slow the fabric down; at most {@code backlog} events,
     * at least 1, wait to be requested.
     */
    public FabricWatch watch(int backlog) {
        AtomicLong dropped = new AtomicLong();
        EventQueueActor.Plan<FabricEvent> plan = FabricWatch.plan(backlog, dropped, services.callers());
        CompletableFuture<CommandSender<EventQueueActor.Command<FabricEvent>>> create = new CompletableFuture<>();
        Tap tap = beginWatch(plan, create);
        return new FabricWatch(await(create), dropped, () -> untap(tap));
    }

    private synchronized Tap beginWatch(
            EventQueueActor.Plan<FabricEvent> plan,
            CompletableFuture<CommandSender<EventQueueActor.Command<FabricEvent>>> create) {
        checkNotClosing();
        ActorRef<EventQueueActor.Command<FabricEvent>> actor =
                spawn(EventQueueActor.create(plan, create::complete), "watch-" + watches.incrementAndGet());
        Tap tap = event -> actor.tell(new EventQueueActor.Raised<>(event));
        tap(tap);
        return tap;
    }

    /**
     * Waits for a verb, at most {@link #DEFAULT_TIMEOUT}; throws its refusal unchanged.
     *
     * @throws AwaitTimeoutException if it is not done by then; the verb continues
     */
    public <T> T await(CompletionStage<T> stage) {
        return await(stage, DEFAULT_TIMEOUT);
    }

    /**
     * Waits for a verb; throws its refusal unchanged. In a world of the testkit this advances virtual time. A thread that drives
     * shards drives them while it waits.
     *
     * @throws AwaitTimeoutException if it is not done in time; the verb continues
     */
    public <T> T await(CompletionStage<T> stage, Duration timeout) {
        polling.end();
        Supplier<String> reason = () -> driven.explain(TimeoutReply.by(openHandles()));
        if (driven.isOverWhileDriving(stage, timeout)) {
            throw ParkedThread.timedOut(timeout, reason.get());
        }
        return environment.awaiter().await(stage, timeout, reason);
    }

    /**
     * Returns a stage that completes when that much time has passed on this network's clock: virtual time in the testkit, where
     * the JDK's timers ({@code CompletableFuture.orTimeout}, {@code delayedExecutor}) count real time. Its resolution is the
     * scheduler's tick: 1 ms if the network has its own actor system. It completes on the executor of verbs' stages, as code of
     * no host: a fault that pauses a host does not delay it. Closing the network cancels it; a caller that no longer needs it
     * cancels it with {@code toCompletableFuture().cancel(false)}.
     *
     * <p>{@code CompletableFuture.anyOf(done.toCompletableFuture(), network.after(Duration.ofMillis(5)).toCompletableFuture())}
     * is a deadline for a request. The request continues after it, and the adapter owns its buffer until it completes.
     *
     * @param time from zero to 24 days
     * @throws IllegalArgumentException for another time
     * @throws IllegalStateException if the network is closed, or a million of them are pending
     */
    public CompletionStage<Void> after(Duration time) {
        return deadlines.after(time);
    }

    /** Returns the objects that the processes of all adapters created and did not close. */
    public synchronized LeakReport leaks() {
        return new LeakReport(handles()
                .flatMap(adapter -> adapter.host().leaks().leaks().stream())
                .toList());
    }

    private Stream<AdapterHandle> handles() {
        return adapters().stream().filter(AdapterHandle.class::isInstance).map(AdapterHandle.class::cast);
    }

    /**
     * Ends every process, which closes its open objects and flushes outstanding work, then every adapter and the fabric. Verbs
     * that still wait fail. Closing continues as long as objects close; if none closed within {@link #DEFAULT_TIMEOUT}, the
     * rest of a process is abandoned. A second call returns when the network is closed. Any thread.
     *
     * @throws IllegalStateException in a call of this network's subscriber, reader, tap or interceptor, and in an action on the
     *     stage of {@link org.hcaactors.api.completion.CompletionChannel#next}: closing would wait for that call to return, so
     *     the network stays open. Complete a future there, and close in the thread that waits for it
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
        driven.closeIdle();
        List<AdapterHandle> all = openHandles();
        try {
            if (!terminated.isDone()) {
                all.forEach(adapter -> ProcessShutdown.of(adapter, this::await));
                boolean freesName = !ownsSystem && !environment.awaiter().isSimulation();
                await(CompletableFuture.anyOf(
                        freesName ? NetworkActor.stopAndFreeName(guardian, system) : NetworkActor.stop(guardian),
                        terminated));
            }
        } finally {
            uplink.close();
            all.forEach(AdapterHandle::shut);
            driven.closeAll();
            if (ownsSystem) {
                system.terminate();
            }
        }
        if (ownsSystem) {
            await(terminated);
        }
    }

    private synchronized List<AdapterHandle> openHandles() {
        return handles().toList();
    }

    /** Nothing can be added while the network closes. */
    private synchronized void checkNotClosing() {
        if (closing != null) {
            throw closedException();
        }
    }

    /** Existing adapters can be changed until the network is closed. */
    private synchronized void checkNotClosed() {
        if (closing != null && closing.end.isDone()) {
            throw closedException();
        }
    }

    private static IllegalStateException closedException() {
        return new IllegalStateException("this network is closed");
    }

    private <M> ActorRef<M> spawn(Behavior<M> behavior, String name) {
        CompletableFuture<ActorRef<M>> spawned = new CompletableFuture<>();
        guardian.tell(new NetworkActor.Spawn<>(behavior, name, spawned));
        // The guardian is on no shard, so nothing needs to be driven, and no handler is called here.
        return environment.awaiter().await(spawned, DEFAULT_TIMEOUT, () -> "the network's guardian does not answer");
    }

    @Override
    public synchronized String toString() {
        return "network of " + adapters;
    }
}
