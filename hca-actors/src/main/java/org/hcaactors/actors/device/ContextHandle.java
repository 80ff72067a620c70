// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hcaactors.actors.connection.CmActor;
import org.hcaactors.actors.connection.ConnectionOwner;
import org.hcaactors.actors.event.ChannelBlueprint;
import org.hcaactors.actors.key.KeyBlueprint;
import org.hcaactors.actors.region.RegionOwner;
import org.hcaactors.actors.service.Blueprint;
import org.hcaactors.actors.service.Services;
import org.hcaactors.actors.stage.ActorHandle;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.adapter.audit.Audited;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.audit.ResourceAudit;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.completion.AdapterClock;
import org.hcaactors.adapter.flow.EventSink;
import org.hcaactors.adapter.host.AddressSpace;
import org.hcaactors.adapter.host.PhysicalMemory;
import org.hcaactors.adapter.host.SharedMemory;
import org.hcaactors.adapter.inline.InlineVariables;
import org.hcaactors.adapter.inline.RemappedKeys;
import org.hcaactors.adapter.key.KeyChange;
import org.hcaactors.adapter.page.PageAllocator;
import org.hcaactors.adapter.paging.PagerCommands;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.stage.StageOutcome;
import org.hcaactors.adapter.stage.VerbCalls;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.connection.DatagramAddress;
import org.hcaactors.api.connection.DcTargetLocation;
import org.hcaactors.api.connection.ServedPort;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.Credentials;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.handle.LeakReport;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.queue.XrcDomain;
import org.hcaactors.api.queue.XrcDomainDescription;
import org.hcaactors.mutation.MutationPoint;

/** Handle of a device context: an adapter opened by a process. */
final class ContextHandle implements EventSink, RegionOwner, ConnectionOwner {
    /** The text is built only for the resource audit. */
    private record Closing(ContextHandle context) {
        @Override
        public String toString() {
            return "close of the " + context.describe();
        }
    }

    private final AdapterHandle adapter;
    /** Services of the adapter as it was opened; after a restart of the adapter they refuse to create anything. */
    private final Services services;

    private final ProcessHandle process;
    private final Supplier<InlineVariables> variables;

    @MutationPoint("context-handle.open")
    private final OpenObjects open;

    private final PageAllocator pages;
    private final ContextEvents events;
    private final VerbCalls verbs;
    private final CompletableFuture<Void> destroyed = new CompletableFuture<>();
    private final Audited audited = this::snapshot;

    /**
     * @param services of the adapter as it is
     * @param pages for its buffers
     * @param variables environment variables of the library for inline data, read for each object
     */
    ContextHandle(
            AdapterHandle adapter,
            Services services,
            ProcessHandle process,
            PageAllocator pages,
            Supplier<InlineVariables> variables) {
        this.adapter = adapter;
        this.services = services;
        this.process = process;
        this.pages = pages;
        this.variables = variables;
        open = new OpenObjects(describe());
        events = new ContextEvents(adapter, services.callers(), open);
        verbs = new VerbCalls(services.verbGuard(), adapter.name(), process.name(), open::isClosing);
        audit().opened(audited);
    }

    private ResourceAudit audit() {
        return services.audit();
    }

    private ResourceSnapshot snapshot() {
        return new ResourceSnapshot.Context(adapter.name(), process.name(), open.counts());
    }

    @Override
    public AdapterHandle adapter() {
        return adapter;
    }

    @Override
    public ProcessHandle process() {
        return process;
    }

    @Override
    public VerbCalls verbs() {
        return verbs;
    }

    @Override
    public ProtectionDomain allocatePd() {
        verbs.check(Verb.ALLOC_PD);
        checkInService();
        int number = adapter.nextDomain();
        DomainHandle domain = new DomainHandle(number, this);
        services.limits().take(ObjectKind.DOMAIN);
        try {
            open.addDomain(domain, number);
        } catch (VerbsException closed) {
            services.limits().free(ObjectKind.DOMAIN);
            throw closed;
        }
        return domain;
    }

    /** @throws VerbsException if the adapter has restarted or is in error */
    void checkInService() {
        services.health().refusal().ifPresent(refusal -> {
            throw refusal;
        });
    }

    @Override
    public CompletionStage<XrcDomain> openXrcDomain(XrcDomainDescription requested) {
        return creating(
                Verb.OPEN_XRCD,
                OpenObjects.NO_DOMAIN,
                () -> CompletableFuture.completedStage(XrcDomainHandle.open(requested, this)));
    }

    @Override
    public CompletionStage<CompletionQueue> createCq(CqDescription requested) {
        return creating(
                Verb.CREATE_CQ, OpenObjects.NO_DOMAIN, () -> new CompletionQueueFactory(this).create(requested));
    }

    @Override
    public CompletionStage<CompletionChannel> createChannel() {
        return creating(
                Verb.CREATE_COMP_CHANNEL,
                OpenObjects.NO_DOMAIN,
                () -> make(new ChannelBlueprint(this))
                        .thenApply(channel -> track(channel, ObjectKind.CHANNEL, OpenObjects.NO_DOMAIN)));
    }

    @Override
    public CompletionStage<ConnectionListener> listen(int port, int backlog) {
        return new ConnectionVerbs(this).listen(port, backlog);
    }

    @Override
    public CompletionStage<Connection> connect(InetSocketAddress to, ConnectionDescription description) {
        return new ConnectionVerbs(this).connect(to, description, Optional.empty());
    }

    @Override
    public CompletionStage<Connection> connect(
            InetSocketAddress to, ConnectionDescription description, Duration timeout) {
        return new ConnectionVerbs(this).connect(to, description, Optional.of(timeout));
    }

    @Override
    public CompletionStage<ServedPort> serveDatagrams(int port, UdQueuePair queuePair, QKey qkey) {
        return new ConnectionVerbs(this).serve(port, queuePair, qkey);
    }

    @Override
    public CompletionStage<DatagramAddress> resolveDatagrams(InetSocketAddress service) {
        return new ConnectionVerbs(this).datagrams(service);
    }

    @Override
    public CompletionStage<ServedPort> serveDcTarget(int port, DcTarget target) {
        return new ConnectionVerbs(this).serve(port, target);
    }

    @Override
    public CompletionStage<DcTargetLocation> resolveDcTarget(InetSocketAddress service) {
        return new ConnectionVerbs(this).dcTarget(service);
    }

    @Override
    public <T> CompletionStage<T> manage(Function<Reply<T>, CmActor.Verb> verb) {
        return adapter.commandSender().pass(reply -> new AdapterActor.ManageVerb(verb.apply(reply)));
    }

    @Override
    public void manage(CmActor.Command command) {
        adapter.manage(command);
    }

    @Override
    public LocalPort localPort() {
        return adapter.localPort();
    }

    @Override
    public void begun(Connection connection) {
        open.addOpen(connection, ObjectKind.CONNECTION);
    }

    @Override
    public void owns(QueuePair queuePair) {
        require(queuePair, QueuePair.class, "queue pair");
        if (!open.closeBegun(queuePair)) {
            throw VerbsException.invalid(
                    "queue pair " + queuePair.number() + " belongs to another connection, or is closed");
        }
    }

    /** Begins a verb that creates an object. */
    <H> CompletionStage<H> creating(Verb verb, int domain, Supplier<CompletionStage<H>> creation) {
        return creating(domain, () -> {
            verbs.check(verb);
            return creation.get();
        });
    }

    /**
     * Refused with EINVAL if this context or the domain is closed; otherwise closing waits for it, so that nothing created
     * outlives its context.
     *
     * @param creation its result is tracked when its stage completes; a VerbsException that it throws becomes the refusal, any
     *     other exception, such as for a null argument, is thrown to the caller
     */
    @Override
    public <H> CompletionStage<H> creating(int domain, Supplier<CompletionStage<H>> creation) {
        try {
            open.begin(domain);
        } catch (VerbsException closed) {
            return CompletableFuture.failedStage(closed);
        }
        return begun(domain, creation).whenComplete((made, refused) -> open.end(domain));
    }

    @MutationPoint("context-handle.begun")
    private <H> CompletionStage<H> begun(int domain, Supplier<CompletionStage<H>> creation) {
        try {
            return creation.get();
        } catch (VerbsException refused) {
            return CompletableFuture.failedStage(refused);
        } catch (RuntimeException | Error thrown) {
            open.end(domain);
            throw thrown;
        }
    }

    /**
     * Returns the handle as the given class.
     *
     * @throws VerbsException EINVAL if it was not created by this context or is closed: contexts share no objects, as in the
     *     kernel
     */
    @MutationPoint("context-handle.own")
    <H extends Handle> H require(Handle handle, Class<H> kind, String what) {
        if (!kind.isInstance(handle) || !open.contains(handle)) {
            throw VerbsException.invalid("the " + what + " is closed or belongs to another adapter or context; the "
                    + describe() + " can use only its own");
        }
        return kind.cast(handle);
    }

    /** Sends the blueprint to the adapter. */
    <C, H> CompletionStage<H> make(Blueprint<C, H> blueprint) {
        return adapter.commandSender().ask(reply -> new AdapterActor.Create<>(services, blueprint, reply));
    }

    // rule event-object-limits
    /** Sends the blueprint of an object of a limited kind to the adapter. */
    <C, H extends ActorHandle> CompletionStage<H> makeCounted(Blueprint<C, H> blueprint) {
        ObjectKind kind = blueprint.kind();
        try {
            services.limits().take(kind);
        } catch (VerbsException full) {
            return CompletableFuture.failedStage(full);
        }
        return StageOutcome.undone(make(blueprint), () -> services.limits().free(kind))
                .thenApply(made -> {
                    made.commandSender().whenClosed(() -> services.limits().free(kind));
                    return made;
                });
    }

    /** Registers an object with the adapter, which assigns its key. */
    <H extends Handle> CompletionStage<H> register(int domain, KeyBlueprint<H> blueprint) {
        return StageOutcome.undone(assign(blueprint), blueprint::refused).thenApply(key -> {
            H made = blueprint.handle(key, this);
            open.add(made, blueprint.kind(), domain);
            return made;
        });
    }

    @Override
    public CompletionStage<Integer> assign(KeyBlueprint<?> blueprint) {
        return adapter.commandSender()
                .<Integer>ask(reply -> new AdapterActor.Register(services, blueprint, reply))
                .thenApply(key -> {
                    foreign().are(key, blueprint.addresses());
                    return key;
                });
    }

    @Override
    public CompletionStage<Void> deregister(Handle handle, int key) {
        return withdraw(key).thenRun(() -> open.remove(handle));
    }

    @Override
    public CompletionStage<Void> withdraw(int key) {
        return adapter.commandSender()
                .<Void>ask(reply -> new AdapterActor.Deregister(key, reply))
                .thenRun(() -> foreign().remove(key));
    }

    @Override
    public CompletionStage<Void> change(int key, KeyChange change) {
        Optional<VerbsException> inError = services.health().refusal();
        if (inError.isPresent()) {
            return CompletableFuture.failedStage(inError.get());
        }
        return adapter.commandSender()
                .ask(reply -> new AdapterActor.ChangeKey(key, change, refusal -> {
                    if (refusal.isPresent()) {
                        reply.fail(KeyRefusal.of(key, refusal.get()));
                    } else {
                        Reply.done(reply);
                    }
                }));
    }

    @Override
    public RemappedKeys foreign() {
        return adapter.host().foreign();
    }

    @Override
    public void moved(Handle region, int domain) {
        open.move(region, domain);
    }

    @Override
    public void lostItsKey(Handle region) {
        open.lostItsKey(region);
    }

    @Override
    public void closed(Handle region) {
        open.remove(region);
    }

    @Override
    public int numberOf(Handle domain) {
        return require(domain, DomainHandle.class, "protection domain").number();
    }

    @Override
    public String processName() {
        return process.name();
    }

    @Override
    public Credentials identity() {
        return process.credentials();
    }

    @Override
    public PhysicalMemory physical() {
        return adapter.host().physical();
    }

    @Override
    public SharedMemory shared() {
        return adapter.host().shared();
    }

    @Override
    public AddressSpace space() {
        return process.space();
    }

    @Override
    public PageAllocator pages() {
        return pages;
    }

    @Override
    public Profile profile() {
        return services.profile();
    }

    @Override
    public Services services() {
        return services;
    }

    @Override
    public PagerCommands pager() {
        return adapter.pager();
    }

    @Override
    public CommandSender<?> commandSender() {
        return adapter.commandSender();
    }

    /** Tracks a handle as open until it is closed. */
    <H extends ActorHandle> H track(H handle, ObjectKind kind, int domain) {
        return track(handle, handle.commandSender(), kind, domain);
    }

    /** @param commandSender sender of commands to its actor */
    <H extends Handle> H track(H handle, CommandSender<?> commandSender, ObjectKind kind, int domain) {
        open.add(handle, kind, domain);
        commandSender.whenClosed(() -> open.remove(handle));
        return handle;
    }

    OpenObjects open() {
        return open;
    }

    @Override
    public LeakReport openObjects() {
        return new LeakReport(open.all().stream()
                .map(handle -> new LeakReport.Leak(adapter.name(), process.name(), handle.describe()))
                .toList());
    }

    @Override
    public String describe() {
        return "context of " + process.name() + " on " + adapter.name();
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        if (open.close()) {
            adapter.commandSender().pending(new Closing(this), destroyed);
            StageOutcome.of(open.noneInProgress().thenCompose(none -> closeAll()), destroyed);
        }
        return destroyed.minimalCompletionStage();
    }

    /** Closes the objects, kind after kind, all of one kind concurrently; a refusal does not keep the others from closing. */
    private CompletionStage<Void> closeAll() {
        CompletionStage<Void> last = CompletableFuture.completedStage(null);
        for (ObjectKind kind : ObjectKind.values()) {
            last = last.thenCompose(done -> open.close(kind));
        }
        return last.thenCompose(done -> events.stream())
                .thenCompose(stream ->
                        adapter.commandSender().<Void>ask(reply -> new AdapterActor.CloseEvents(stream, reply)))
                .exceptionallyCompose(reason ->
                        adapter.commandSender().isClosed() // then all objects of this context are gone as well
                                ? CompletableFuture.completedStage(null)
                                : CompletableFuture.failedStage(reason))
                .whenComplete((done, failure) -> {
                    process.closed(this);
                    audit().closed(audited);
                });
    }

    @Override
    public void close() {
        adapter.commandSender().await(closeAsync());
    }

    @Override
    public Flow.Publisher<AsyncEvent> asyncEvents() {
        return events::subscribe;
    }

    @Override
    public CompletionStage<AsyncEvent> nextAsyncEvent() {
        return verbs.begin(Verb.GET_ASYNC_EVENT, this, open.isClosing(), events::next);
    }

    @Override
    public long clockTicks() {
        return AdapterClock.of(
                services.clock().getAsLong(), profile().completions().clockKilohertz());
    }

    @Override
    public void settle(AsyncEvent.Source source, int element, Reply<Void> reply) {
        events.settle(source, element, reply);
    }

    @Override
    public void raise(AsyncEvent event) {
        // rule cm-first-message
        if (event.kind() == AsyncEvent.Kind.COMM_EST) {
            adapter.manage(new CmActor.FirstMessage(event.element()));
        }
        events.raise(event);
    }

    InlineVariables variables() {
        return variables.get();
    }

    @Override
    public String toString() {
        return describe();
    }
}
